#pragma once
char _InterlockedOr8(volatile char *, char);
char _InterlockedAnd8(volatile char *, char);
unsigned char _BitScanReverse64(unsigned long *, unsigned __int64);
unsigned char _BitScanForward64(unsigned long *, unsigned __int64);
