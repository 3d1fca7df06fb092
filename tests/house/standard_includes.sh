#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every name of namespace std is used with a header that the standard says declares it. What one library's headers
# happen to include differs between its releases, so a file must not live on that.
# A header of functions comes from the file itself or, for name.cpp, from name.h. A header of types may also come from any
# project header that the file includes, directly or through others: an interface brings the types it is made of.
# A name which the table below lacks is an error: it has to be added with its headers.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

find pica shaders shadergen renderer samples tests -name '*.cpp' -o -name '*.h' -o -name '*.hpp' -o -name '*.inc' |
    grep -v '^tests/golden/' | sort | xargs awk '
# headers: alternatives, any of which declares the names.
function declare_in(headers, names,  list, count, i)
{
    count = split(names, list, " ")
    for (i = 1; i <= count; i++) headers_of[list[i]] = headers
}
function is_own_header(header, file) { sub(/\.cpp$/, "", file); sub(/\.h(pp)?$/, "", header); return header == file }
# Does `file` get any of `headers`?
function gets(file, headers,  list, count, i, key)
{
    key = file SUBSEP headers
    if (key in known) return known[key]
    known[key] = 0 # a circle adds nothing
    count = split(headers, list, " ")
    for (i = 1; i <= count; i++) if ((file, list[i]) in includes) return known[key] = 1
    count = split(project_includes[file], list, "\n")
    for (i = 1; i <= count; i++) if (list[i] in seen && (!(headers in functions) || is_own_header(list[i], file)) && gets(list[i], headers))
            return known[key] = 1
    return 0
}
BEGIN {
    containers = "array vector span string string_view map set list deque unordered_map unordered_set"
    declare_in("algorithm", "adjacent_find all_of any_of clamp copy copy_n count count_if equal fill fill_n find find_if " \
        "find_if_not for_each generate is_sorted lower_bound max max_element min min_element minmax minmax_element " \
        "mismatch none_of nth_element partition remove remove_if replace reverse rotate shuffle sort stable_sort " \
        "swap_ranges transform unique upper_bound ranges")
    declare_in("array", "array to_array")
    declare_in("atomic", "atomic atomic_flag atomic_ref memory_order_acq_rel memory_order_acquire memory_order_relaxed " \
        "memory_order_release memory_order_seq_cst")
    declare_in("bit", "bit_cast bit_ceil bit_floor bit_width countl_one countl_zero countr_one countr_zero endian " \
        "has_single_bit popcount rotl rotr")
    declare_in("bitset", "bitset")
    declare_in("cctype", "isalnum isalpha isdigit isspace isxdigit tolower toupper")
    declare_in("charconv", "from_chars to_chars")
    declare_in("chrono", "chrono")
    declare_in("cfenv", "fesetenv")
    declare_in("cmath", "ceil copysign cos exp exp2 fabs floor fma fmod frexp hypot ilogb isfinite isinf isnan ldexp log log2 " \
        "lround nearbyint nextafter pow round sin sqrt trunc")
    declare_in("cmath cstdlib", "abs")
    declare_in("condition_variable", "condition_variable cv_status")
    declare_in("cstdarg", "va_list")
    declare_in("cstddef", "byte max_align_t nullptr_t ptrdiff_t")
    declare_in("cstddef cstdio cstdlib cstring ctime cwchar", "size_t")
    declare_in("cstdint", "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t uintptr_t")
    declare_in("cstdio", "ungetc FILE fclose ferror fflush fgets fopen fprintf fputc fputs fread fseek ftell fwrite perror printf " \
        "putchar puts rename rewind setvbuf tmpfile snprintf vsnprintf")
    declare_in("cstdlib", "_Exit abort atexit atoi calloc exit free getenv malloc realloc strtod strtof strtol strtoul " \
        "strtoull system")
    declare_in("cstring", "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strrchr strstr")
    declare_in("deque", "deque")
    declare_in("exception", "exception current_exception exception_ptr rethrow_exception terminate")
    declare_in("filesystem", "filesystem")
    declare_in("fstream", "ifstream ofstream fstream")
    declare_in("functional", "bit_and bit_or bit_xor divides equal_to function greater hash invoke less minus multiplies " \
        "not_equal_to plus ref cref")
    declare_in("future", "async future launch packaged_task promise")
    declare_in("initializer_list " containers, "initializer_list")
    declare_in("iostream", "cerr cin cout clog")
    declare_in("ios istream ostream iostream fstream sstream", "dec hex ios streamoff streampos streamsize")
    declare_in("ostream iostream", "endl flush")
    declare_in("ostream iostream fstream sstream", "ostream")
    declare_in("istream iostream fstream sstream", "istream getline")
    declare_in("iterator", "back_inserter inserter istreambuf_iterator ostreambuf_iterator make_move_iterator " \
        "reverse_iterator iterator_traits")
    declare_in("iterator " containers, "advance begin cbegin cend data distance empty end next prev rbegin rend size ssize")
    declare_in("limits", "numeric_limits")
    declare_in("list", "list")
    declare_in("map", "map multimap")
    declare_in("memory", "static_pointer_cast addressof align allocator destroy_at construct_at default_delete enable_shared_from_this make_shared " \
        "make_unique make_unique_for_overwrite shared_ptr unique_ptr weak_ptr")
    declare_in("mutex", "call_once lock_guard mutex once_flag recursive_mutex scoped_lock timed_mutex")
    declare_in("mutex shared_mutex", "unique_lock")
    declare_in("shared_mutex", "shared_lock shared_mutex")
    declare_in("new", "align_val_t bad_alloc nothrow launder")
    declare_in("numeric", "accumulate gcd inner_product iota lcm midpoint partial_sum reduce")
    declare_in("optional", "nullopt nullopt_t optional make_optional")
    declare_in("random", "mt19937 mt19937_64 normal_distribution random_device uniform_int_distribution " \
        "uniform_real_distribution")
    declare_in("ratio chrono", "micro milli nano ratio")
    declare_in("set", "set multiset")
    declare_in("span", "as_bytes as_writable_bytes dynamic_extent span")
    declare_in("sstream", "istringstream ostringstream stringstream")
    declare_in("stdexcept", "domain_error invalid_argument logic_error out_of_range runtime_error")
    declare_in("stop_token thread", "stop_token stop_source")
    declare_in("streambuf", "streambuf")
    declare_in("string", "stod stof stoi stol stoll stoul stoull string to_string")
    declare_in("string string_view", "char_traits")
    declare_in("string_view string", "string_view")
    declare_in("system_error", "errc error_code error_condition generic_category make_error_code system_category " \
        "system_error")
    declare_in("charconv system_error", "errc")
    declare_in("filesystem system_error", "error_code")
    declare_in("thread", "jthread this_thread thread")
    declare_in("tuple", "ignore make_tuple tie tuple forward_as_tuple")
    declare_in("tuple utility array", "get tuple_element tuple_element_t tuple_size tuple_size_v")
    declare_in("type_traits", "add_const_t common_type_t conditional_t decay_t enable_if_t false_type " \
        "has_unique_object_representations_v integral_constant invoke_result_t is_arithmetic_v is_base_of_v is_const_v " \
        "is_constant_evaluated is_convertible_v is_copy_constructible_v is_empty_v is_enum_v is_floating_point_v " \
        "is_integral_v is_invocable_v is_nothrow_move_assignable_v is_nothrow_move_constructible_v is_pointer_v " \
        "is_same_v is_signed_v is_standard_layout_v is_trivially_copyable_v is_trivially_destructible_v is_unsigned_v " \
        "is_void_v make_signed_t make_unsigned_t remove_const_t remove_cv_t remove_cvref_t remove_pointer_t " \
        "remove_reference_t true_type type_identity_t underlying_type_t void_t")
    declare_in("unordered_map", "unordered_map unordered_multimap")
    declare_in("unordered_set", "unordered_set unordered_multiset")
    declare_in(containers, "erase erase_if")
    declare_in("utility", "as_const cmp_equal cmp_less declval exchange forward in_place in_place_index_t integer_sequence " \
        "index_sequence make_index_sequence make_integer_sequence make_pair move pair to_underlying unreachable")
    declare_in("utility variant", "in_place_index in_place_type")
    declare_in("utility memory thread mutex string vector", "swap")
    declare_in("variant", "get_if holds_alternative monostate variant visit")
    declare_in("vector", "vector")
    split("algorithm,bit,cctype,charconv,cmath,cmath cstdlib,cstdio,cstdlib,cstring,numeric,filesystem,functional,future,iostream,random,sstream,thread", list, ",")
    for (i in list) functions[list[i]] = 1
}
FNR == 1 { seen[FILENAME] = 1; files[++file_count] = FILENAME; in_comment = 0 }
{
    line = $0
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
}
/^[ \t]*#[ \t]*include[ \t]*</ {
    name = $0; sub(/^[^<]*</, "", name); sub(/>.*/, "", name)
    includes[FILENAME, name] = 1
    # The public headers, as they are included after installation.
    if (sub(/^picavk\//, "renderer/", name)) project_includes[FILENAME] = project_includes[FILENAME] name "\n"
    next
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
    # The public headers lie beside each other.
    if (name !~ /\//) { folder = FILENAME; sub(/[^\/]*$/, "", folder); name = folder name }
    project_includes[FILENAME] = project_includes[FILENAME] name "\n"
    next
}
{
    while (match(line, /(^|[^A-Za-z0-9_])std::[A-Za-z_0-9]+/))
    {
        name = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        sub(/^.*std::/, "", name)
        if (!((FILENAME, name) in used)) used[FILENAME, name] = FNR
        uses++
    }
}
END {
    if (uses < 1000) { print "the names were not found: nothing was checked"; exit 1 }
    for (pair in used)
    {
        split(pair, part, SUBSEP)
        if (!(part[2] in headers_of))
        {
            printf "%s:%d: std::%s is not in the table of tests/house/standard_includes.sh\n", part[1], used[pair], part[2] | "sort"
            failures++
        }
        else if (!gets(part[1], headers_of[part[2]]))
        {
            printf "%s:%d: std::%s without <%s>\n", part[1], used[pair], part[2], headers_of[part[2]] | "sort"
            failures++
        }
    }
    close("sort")
    exit failures != 0
}'
