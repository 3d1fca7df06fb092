#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the headers' plain comments into those that Doxygen reads: one behind a member documents it, any other what
# follows.
sed -E -e '2s,^/\* ,/** \\file\n * ,' -e '2s,^// ,/// \\file\n/// ,' -e '/SPDX-License/d' \
    -e 's,^(.*[;\,}0-9A-Za-z_]) +/\* ,\1 /**< ,' -e 's,^( *)/\* ,\1/** ,' \
    -e 's,^(.*[;\,{}0-9A-Za-z_]) +// ,\1 ///< ,' -e 's,^( *)// ,\1/// ,' "$1"
