//go:build !unix

package guest

import "github.com/tetratelabs/wazero/experimental"

func allocate(capacity, maximum uint64) experimental.LinearMemory { return &heapMemory{} }
