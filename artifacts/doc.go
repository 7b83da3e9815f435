// Package artifacts is the dataset on disk: its types, their one byte form, the
// conversion of what the pipeline learnt into them, freezing, loading and
// comparing (spec section 10).
//
// Everything here is a pure function of the values given; the only I/O is
// reading and writing the dataset's own folder. Sub-packages: schema (the JSON
// Schemas that are shipped), verify (what must hold), takedown (what must not
// appear).
package artifacts
