package artifacts

// SnapshotSummary is the card's figures of snapshots.
type SnapshotSummary struct {
	Repositories []SnapshotFigures // by name
}

// SnapshotFigures counts the snapshots of one repository.
type SnapshotFigures struct {
	Repo    string
	License string // SPDX ids of its records, separated by commas
	Records int
	Without int   // records that have none
	Objects int   // different ones
	Bytes   int64 // of these, unpacked
	Packed  int64 // of the file
	Later   int   // commits with a date after their revision's
}

// Records counts those that have a snapshot.
func (s *SnapshotSummary) Records() int {
	n := 0
	for _, f := range s.Repositories {
		n += f.Records - f.Without
	}
	return n
}

// HasSnapshots reports whether a dataset has snapshots in it.
func (m *Manifest) HasSnapshots() bool {
	_, has := m.Files[FileSnapshotIndex]
	return has
}
