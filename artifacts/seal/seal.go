// Package seal publishes answers that nobody can read yet and nobody can change any more. Each answer is encrypted,
// and its salted SHA-256 is beside the question. The key, once published, opens the answers and reveals alterations.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// File is the list of seals in a release, and Box the file of a task's sealed answer.
const File = "sealed.json"

// Box is the path of a task's sealed answer.
func Box(taskID string) string { return "sealed/" + taskID + ".bin" }

// List is sealed.json.
type List struct {
	ManifestSHA256 string `json:"manifest_sha256"` // of the dataset's manifest.json
	Method         string `json:"method"`          // Method
	Seals          []Seal `json:"seals"`           // in the order of the records
}

// Method names how the answers are sealed: SHA-256 over a salt and the answer, where the
// salt is HMAC-SHA256 of the key over "salt", a line break and the task id; AES-256-GCM with
// a nonce of zeros, under HMAC-SHA256 of the key over "box", the task id and that digest,
// each on a line: a key that seals one text alone.
const Method = "sha256-hmac-salt/aes-256-gcm/1"

// Seal is one answer's.
type Seal struct {
	TaskID string `json:"task_id"`
	SHA256 string `json:"sha256"` // of salt and answer, hex
}

// Key opens all seals of a release. It is made at random, once for each release.
type Key [32]byte

// NewKey makes a key.
func NewKey() (Key, error) {
	var k Key
	_, err := rand.Read(k[:])
	return k, err
}

// ParseKey reads 64 hexadecimal digits.
func ParseKey(text string) (Key, error) {
	var k Key
	data, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(data) != len(k) {
		return k, errors.New("a key of seals is 64 hexadecimal digits")
	}
	copy(k[:], data)
	return k, nil
}

// String is the key as ParseKey reads it.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Close seals the answer of a task.
func (k Key) Close(taskID string, answer []byte) (Seal, []byte, error) {
	s := Seal{TaskID: taskID, SHA256: k.digest(taskID, answer)}
	box, err := k.box(s)
	if err != nil {
		return Seal{}, nil, err
	}
	return s, box.Seal(nil, make([]byte, box.NonceSize()), answer, nil), nil
}

// Open opens a sealed answer. The error says what was altered, or that the key is wrong.
func (k Key) Open(s Seal, sealed []byte) ([]byte, error) {
	box, err := k.box(s)
	if err != nil {
		return nil, err
	}
	answer, err := box.Open(nil, make([]byte, box.NonceSize()), sealed, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: the seal, the sealed answer or the key is not the one that it was sealed with", s.TaskID)
	}
	if k.digest(s.TaskID, answer) != s.SHA256 {
		return nil, fmt.Errorf("%s: the answer is not the one that the seal is of", s.TaskID)
	}
	return answer, nil
}

func (k Key) digest(taskID string, answer []byte) string {
	sum := sha256.Sum256(append(k.derive("salt\n"+taskID), answer...))
	return hex.EncodeToString(sum[:])
}

func (k Key) box(s Seal) (cipher.AEAD, error) {
	block, err := aes.NewCipher(k.derive("box\n" + s.TaskID + "\n" + s.SHA256))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func (k Key) derive(what string) []byte {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte(what))
	return mac.Sum(nil)
}
