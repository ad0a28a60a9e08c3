// SPDX-License-Identifier: Apache-2.0
//
// The functions of the C library that reference kernels call. A page's module imports those that
// it uses from the page.
#pragma once

float expf(float);
float expm1f(float);
float logf(float);
float sinf(float);
float cosf(float);
float tanhf(float);
float erfcf(float);
float fmodf(float, float);
float powf(float, float);
float atan2f(float, float);
float hypotf(float, float);
double exp(double);
double log(double);
double log1p(double);
double sin(double);
double cos(double);
double pow(double, double);
double atan2(double, double);
double hypot(double, double);
