// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#error "petstore needs C++20: compile with -std=c++20"
#endif

/// Marks the symbols that the shared libraries of this project export. The libraries are compiled with hidden symbols,
/// so every declaration of a public header without a definition has it; a test checks that. One macro serves every
/// library, since on ELF the attribute is the same for the user of a symbol and its owner.
#if defined(__GNUC__)
#define PETSTORE_EXPORT [[gnu::visibility("default")]]
#else
#define PETSTORE_EXPORT
#endif
