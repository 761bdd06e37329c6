// Headers that nearly every test includes; compiled once for all of them.
#pragma once

#include <precompiled.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
