// Ask a pocket file for the documents most similar to a document, from Go by cgo.
//
//	make lib
//	CGO_CFLAGS="-I$PWD/build/lib" CGO_LDFLAGS="$PWD/build/lib/libpocket.a" go build examples/query.go
//	./query docs.pocket draft.txt
//
// A line a hit: rank, similarity, id, title, with tabs between.
package main

// #include <stdlib.h>
// #include "pocket.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"
)

// An Index is an open file. It never changes: any number of goroutines may ask it.
type Index struct{ handle *C.pocket_index }

// A Hit is a document, and how similar it is, from 0 to 1.
type Hit struct {
	Similarity float64
	ID, Title  string
}

func failure(path string, failed *C.pocket_error) error {
	var text [512]C.char
	C.pocket_describe(failed, &text[0], C.uint32_t(len(text)))
	return errors.New(path + ": " + C.GoString(&text[0]))
}

// Open maps a file. Go has a handler of SIGBUS of its own, which pocket's hands on to.
func Open(path string) (*Index, error) {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	var index Index
	var failed C.pocket_error
	if C.pocket_open_path(name, &index.handle, &failed) != 0 {
		return nil, failure(path, &failed)
	}
	return &index, nil
}

// Close frees an index that nobody asks any more.
func (index *Index) Close() { C.pocket_close(index.handle) }

// Query finds the documents that are most similar to a text, best first, without what may be chance.
func (index *Index) Query(path string, text []byte, top int) ([]Hit, error) {
	given := C.CBytes(text)
	defer C.free(given)
	hits := make([]C.pocket_hit, top)
	count := C.uint32_t(top)
	var failed C.pocket_error
	if C.pocket_query(index.handle, (*C.uint8_t)(given), C.uint64_t(len(text)), nil, &hits[0], &count,
		&failed) != 0 {
		return nil, failure(path, &failed)
	}
	count = C.pocket_more_than_chance(index.handle, 0, 0, &hits[0], count)
	found := make([]Hit, 0, count)
	for _, hit := range hits[:count] {
		var document *C.pocket_document
		if C.pocket_document_get(index.handle, hit.document, &document, &failed) != 0 {
			return nil, failure(path, &failed)
		}
		found = append(found, Hit{
			float64(hit.similarity) / 10000,
			C.GoStringN(document.id, C.int(document.id_length)),
			C.GoStringN(document.title, C.int(document.title_length)),
		})
		C.pocket_document_free(document)
	}
	return found, nil
}

func run(path, document string) (int, error) {
	text, err := os.ReadFile(document)
	if err != nil {
		return 2, err
	}
	index, err := Open(path)
	if err != nil {
		return 2, err
	}
	defer index.Close()
	hits, err := index.Query(path, text, 10)
	if err != nil {
		return 2, err
	}
	for i, hit := range hits {
		fmt.Printf("%d\t%.4f\t%s\t%s\n", i+1, hit.Similarity, hit.ID, hit.Title)
	}
	if len(hits) == 0 {
		return 1, nil
	}
	return 0, nil
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: query FILE.pocket DOCUMENT")
		os.Exit(2)
	}
	code, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "query:", err)
	}
	os.Exit(code)
}
