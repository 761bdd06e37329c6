// Headers that nearly every test includes; compiled once for all of them.
#pragma once

#include <gtest/gtest.h>
#include <precompiled.hpp>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
