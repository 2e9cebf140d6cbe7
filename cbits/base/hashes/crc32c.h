/* CRC32C, the checksum of docs/format.md. */
#ifndef POCKET_CRC32C_H
#define POCKET_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Castagnoli polynomial, reflected 0x82F63B78, start and final xor 0xFFFFFFFF. crc is 0, or the
 * result for the bytes before these. */
uint32_t crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
