// SPDX-License-Identifier: MIT
layout(location = 0) flat in uint triangle;
layout(location = 0) out uint number;

void main() { number = triangle; }
