/* Jenkins' hash lookup3 (hashlittle2 with seeds 0 and 0): the token hash that the interoperability
 * draft asks for. */
#ifndef POCKET_JENKINS_H
#define POCKET_JENKINS_H

#include <stddef.h>
#include <stdint.h>

/* The better mixed half is the low one. */
uint64_t lookup3(const uint8_t *bytes, size_t length);

#endif
