// SPDX-License-Identifier: MIT
// Vectors of lanes against numbers: those that this build uses (lanes.h), and those in plain C++ (plain_lanes.h), with the
// types and operations of the software renderer.
#undef PICA_WHOLE_LANES // pairs are tested in sanitizer builds, too
#include "pica/base/lanes.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <random>
#include <type_traits>

namespace
{

using namespace pica;

constexpr int kRounds = 2000;

// PICA_SELECT is that of the form that this build uses.
template <typename Mask, typename V>
V selected(const Mask& mask, const V& a, const V& b)
{
    return PICA_SELECT(mask, a, b);
}
#if !defined(PICAVK_PLAIN_LANES)
template <typename T, typename M, std::size_t kCount>
PlainLanes<T, kCount> selected(const PlainLanes<M, kCount>& mask, const PlainLanes<T, kCount>& a,
                               const PlainLanes<T, kCount>& b)
{
    return select_lanes(mask, a, b);
}
#endif

template <typename T>
bool same(T a, T b)
{
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(a) && std::isnan(b))
            return true;
    return std::memcmp(&a, &b, sizeof a) == 0;
}

template <typename T>
T random_lane(std::mt19937& random)
{
    if constexpr (std::is_floating_point_v<T>)
    {
        constexpr T kInfinity = std::numeric_limits<T>::infinity();
        constexpr T kSpecial[] = {T(0),      -T(0),      T(1),     T(-1),
                                  kInfinity, -kInfinity, T(1e-40), std::numeric_limits<T>::quiet_NaN()};
        if (random() % 4 == 0)
            return kSpecial[random() % std::size(kSpecial)];
        return static_cast<T>(static_cast<s32>(random())) * T(0x1p-20);
    }
    else
    {
        if (random() % 4 == 0)
            return static_cast<T>(random() % 3 - 1);
        return static_cast<T>(random() | u64{random()} << 32);
    }
}

// Small enough for every expression below not to overflow.
template <typename T>
T small_lane(std::mt19937& random)
{
    return static_cast<T>(static_cast<int>(random() % 1001) - 500);
}

// V: a vector of kCount lanes of T; Mask: of its comparisons.
template <typename V, typename Mask, typename T, std::size_t kCount>
class Check
{
public:
    void run()
    {
        static_assert(sizeof(V) == sizeof(T) * kCount);
        std::mt19937 random(11);
        for (int round = 0; round < kRounds; ++round)
        {
            draw_lanes(random, kWraps ? random_lane<T> : small_lane<T>);
            arithmetic();
            draw_lanes(random, random_lane<T>);
            comparisons();
            if constexpr (!std::is_floating_point_v<T>)
                whole_numbers(static_cast<int>(random() % (8 * sizeof(T))));
        }
        REQUIRE(failures_ == 0);
    }

private:
    // Signed lanes of the compiler must not overflow.
    static constexpr bool kWraps =
        std::is_floating_point_v<T> || std::is_unsigned_v<T> || std::is_same_v<V, PlainLanes<T, kCount>>;

    void draw_lanes(std::mt19937& random, T (*lane)(std::mt19937&))
    {
        for (std::size_t i = 0; i < kCount; ++i)
        {
            a_[i] = lane(random);
            b_[i] = random() % 4 == 0 ? a_[i] : lane(random);
        }
        number_ = lane(random);
    }

    // Is r what f makes of the lanes of a and b?
    template <typename R, typename F>
    void expect(const R& r, const V& a, const V& b, F f)
    {
        for (std::size_t i = 0; i < kCount; ++i)
        {
            const std::remove_cvref_t<decltype(r[0])> expected = f(T{a[i]}, T{b[i]});
            failures_ += !same<std::remove_cvref_t<decltype(r[0])>>(r[i], expected);
        }
    }

    // Integers wrap around.
    template <typename F>
    static T wrapped(T x, T y, F f)
    {
        if constexpr (std::is_floating_point_v<T>)
            return f(x, y);
        else
            return static_cast<T>(f(static_cast<u64>(x), static_cast<u64>(y)));
    }

    template <typename F>
    void operation(F f)
    {
        V all{};
        for (std::size_t i = 0; i < kCount; ++i)
            all[i] = number_;
        const auto lane = [&](T x, T y) { return wrapped(x, y, f); };
        expect(V(f(a_, b_)), a_, b_, lane);
        expect(V(f(a_, number_)), a_, all, lane);
        expect(V(f(number_, b_)), all, b_, lane);
    }

    void arithmetic()
    {
        operation(std::plus<>{});
        operation(std::minus<>{});
        operation(std::multiplies<>{});
        expect(V(-a_), a_, b_, [](T x, T) { return wrapped(x, x, [](auto v, auto) { return -v; }); });
        V sum = a_;
        sum += b_;
        sum *= a_;
        sum -= b_;
        expect(sum, a_, b_,
               [](T x, T y) { return wrapped(x, y, [](auto v, auto w) { return (v + w) * v - w; }); });
        if constexpr (std::is_floating_point_v<T>)
            expect(V(a_ / b_), a_, b_, std::divides<>{});
        else if constexpr (std::is_unsigned_v<T>)
            expect(V(a_ / 255), a_, b_, [](T x, T) { return static_cast<T>(x / 255); });
    }

    template <typename F>
    void comparison(F f)
    {
        using Lane = SignedOf<T>;
        const auto lane = [&](T x, T y) { return static_cast<Lane>(f(x, y) ? -1 : 0); };
        const Mask mask = f(a_, b_);
        expect(mask, a_, b_, lane);
        expect(V(selected(mask, a_, b_)), a_, b_, [&](T x, T y) { return f(x, y) ? x : y; });
        V all{};
        for (std::size_t i = 0; i < kCount; ++i)
            all[i] = number_;
        expect(Mask(f(a_, number_)), a_, all, lane);
    }

    void comparisons()
    {
        comparison([](const auto& x, const auto& y) { return x < y; });
        comparison([](const auto& x, const auto& y) { return x <= y; });
        comparison([](const auto& x, const auto& y) { return x > y; });
        comparison([](const auto& x, const auto& y) { return x >= y; });
        comparison([](const auto& x, const auto& y) { return x == y; });
        comparison([](const auto& x, const auto& y) { return x != y; });
    }

    void whole_numbers(int count)
    {
        operation(std::bit_and<>{});
        operation(std::bit_or<>{});
        operation(std::bit_xor<>{});
        expect(V(~a_), a_, b_, [](T x, T) { return static_cast<T>(~static_cast<u64>(x)); });
        // To the left zeros come in, to the right the sign of signed numbers.
        const T places = static_cast<T>(count);
        V counts{};
        for (std::size_t i = 0; i < kCount; ++i)
            counts[i] = static_cast<T>((static_cast<std::size_t>(count) + i) % (8 * sizeof(T)));
        const auto left = [](T x, T y) { return static_cast<T>(static_cast<u64>(x) << static_cast<u64>(y)); };
        const auto right = [](T x, T y) { return static_cast<T>(x >> y); };
        V all{};
        for (std::size_t i = 0; i < kCount; ++i)
            all[i] = places;
        expect(V(a_ << places), a_, all, left);
        expect(V(a_ >> places), a_, all, right);
        expect(V(a_ << counts), a_, counts, left);
        expect(V(a_ >> counts), a_, counts, right);
    }

    V a_{};
    V b_{};
    T number_{};
    int failures_ = 0;
};

template <typename T, std::size_t kCount>
void check()
{
    Check<Lanes<T, kCount>, Lanes<SignedOf<T>, kCount>, T, kCount>().run();
    Check<PlainLanes<T, kCount>, PlainLanes<SignedOf<T>, kCount>, T, kCount>().run();
}

// Pack: the template of vectors.
template <template <typename, std::size_t> typename Pack>
void check_functions()
{
    const Pack<f32, 4> reals{-1.75f, 0.0f, 3.99f, 65536.0f};
    const auto whole = convert_lanes<Pack<s32, 4>>(reals);
    const s32 truncated[4] = {-1, 0, 3, 65536};
    const auto bits = cast_lanes<Pack<u32, 4>>(reals);
    const auto halves = cast_lanes<Pack<u16, 8>>(reals);
    const auto back = convert_lanes<Pack<f32, 4>>(whole);
    const auto doubles = convert_lanes<Pack<double, 4>>(whole);
    const auto bytes = convert_lanes<Pack<u8, 4>>(whole);
    const auto narrow = convert_lanes<Pack<s32, 4>>(convert_lanes<Pack<s64, 4>>(whole) << 31 >> 16);
    for (std::size_t i = 0; i < 4; ++i)
    {
        CHECK(whole[i] == truncated[i]);
        CHECK(bits[i] == std::bit_cast<u32>(f32{reals[i]}));
        CHECK(back[i] == static_cast<f32>(truncated[i]));
        CHECK(doubles[i] == static_cast<double>(truncated[i]));
        CHECK(bytes[i] == static_cast<u8>(truncated[i]));
        CHECK(narrow[i] == static_cast<s32>(s64{truncated[i]} * 32768));
    }
    u16 words[8];
    std::memcpy(words, &reals, sizeof words);
    for (std::size_t i = 0; i < 8; ++i)
        CHECK(halves[i] == words[i]);
    const Pack<s32, 8> numbers{10, 11, 12, 13, 14, 15, 16, 17};
    const auto shuffled = shuffle_lanes<2, 3, 0, 1, 6, 6, 4, 7>(numbers);
    const s32 order[8] = {2, 3, 0, 1, 6, 6, 4, 7};
    for (std::size_t i = 0; i < 8; ++i)
        CHECK(shuffled[i] == 10 + order[i]);
    const Pack<s32, 8> few{1, 2};
    CHECK(few[0] + few[1] == 3);
    CHECK(few[7] == 0);
}

} // namespace

TEST_CASE("lanes: every operation is that of its numbers")
{
    check<f32, 4>();
    check<f32, 8>();
    check<f32, 16>();
    check<s32, 4>();
    check<s32, 8>();
    check<u32, 8>();
    check<u32, 16>();
    check<u16, 8>();
    check<u16, 16>();
    check<u64, 4>();
    check<s64, 8>();
}

TEST_CASE("lanes: conversions, bits and shuffles")
{
    check_functions<Lanes>();
    check_functions<PlainLanes>();
}

TEST_CASE("lanes: numbers in memory")
{
    alignas(64) s32 numbers[16] = {};
    for (s32 i = 0; i < 16; ++i)
        numbers[i] = 3 * i;
    const auto v = load_lanes<Lanes<s32, 8>>(numbers + 8);
    store_lanes(numbers, Lanes<s32, 8>(v + 1));
    for (s32 i = 0; i < 8; ++i)
        CHECK(numbers[i] == 3 * (i + 8) + 1);
    CHECK(numbers[8] == 24);
}
