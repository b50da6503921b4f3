// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#error "petstore needs C++20: compile with -std=c++20"
#endif

/// What a shared library of this project shows to those who link it. The libraries are compiled with hidden symbols, so
/// what a public header declares and does not define carries this; a test compares the two. One macro serves every
/// library, since on ELF a user of a symbol says the same of it as its owner.
#if defined(__GNUC__)
#define PETSTORE_EXPORT [[gnu::visibility("default")]]
#else
#define PETSTORE_EXPORT
#endif
