// SPDX-License-Identifier: Apache-2.0

// Made by make_decompositions.py of the data of Unicode 18.0.0.

/// What code points become in canonical decomposition (Unicode Standard, section 3.7), apart from
/// Hangul syllables, whose decomposition is computed.
///
/// Code points and parts are written in the digits 0 to 9 and a to v, to the base 32. An entry is
/// the distance of its code point from that of the entry before, a colon and the parts, separated
/// by commas.
enum CanonicalDecompositionTable {
  /// The entries, separated by spaces.
  static let entries = """
    60:21,o0 1:21,o1 1:21,o2 1:21,o3 1:21,o8 1:21,oa 2:23,p7 1:25,o0 1:25,o1 1:25,o2 1:25,o8 \
    1:29,o0 1:29,o1 1:29,o2 1:29,o8 2:2e,o3 1:2f,o0 1:2f,o1 1:2f,o2 1:2f,o3 1:2f,o8 3:2l,o0 \
    1:2l,o1 1:2l,o2 1:2l,o8 1:2p,o1 3:31,o0 1:31,o1 1:31,o2 1:31,o3 1:31,o8 1:31,oa 2:33,p7 \
    1:35,o0 1:35,o1 1:35,o2 1:35,o8 1:39,o0 1:39,o1 1:39,o2 1:39,o8 2:3e,o3 1:3f,o0 1:3f,o1 \
    1:3f,o2 1:3f,o3 1:3f,o8 3:3l,o0 1:3l,o1 1:3l,o2 1:3l,o8 1:3p,o1 2:3p,o8 1:21,o4 1:31,o4 \
    1:21,o6 1:31,o6 1:21,p8 1:31,p8 1:23,o1 1:33,o1 1:23,o2 1:33,o2 1:23,o7 1:33,o7 1:23,oc \
    1:33,oc 1:24,oc 1:34,oc 3:25,o4 1:35,o4 1:25,o6 1:35,o6 1:25,o7 1:35,o7 1:25,p8 1:35,p8 \
    1:25,oc 1:35,oc 1:27,o2 1:37,o2 1:27,o6 1:37,o6 1:27,o7 1:37,o7 1:27,p7 1:37,p7 1:28,o2 \
    1:38,o2 3:29,o3 1:39,o3 1:29,o4 1:39,o4 1:29,o6 1:39,o6 1:29,p8 1:39,p8 1:29,o7 4:2a,o2 \
    1:3a,o2 1:2b,p7 1:3b,p7 2:2c,o1 1:3c,o1 1:2c,p7 1:3c,p7 1:2c,oc 1:3c,oc 5:2e,o1 1:3e,o1 \
    1:2e,p7 1:3e,p7 1:2e,oc 1:3e,oc 4:2f,o4 1:3f,o4 1:2f,o6 1:3f,o6 1:2f,ob 1:3f,ob 3:2i,o1 \
    1:3i,o1 1:2i,p7 1:3i,p7 1:2i,oc 1:3i,oc 1:2j,o1 1:3j,o1 1:2j,o2 1:3j,o2 1:2j,p7 1:3j,p7 \
    1:2j,oc 1:3j,oc 1:2k,p7 1:3k,p7 1:2k,oc 1:3k,oc 3:2l,o3 1:3l,o3 1:2l,o4 1:3l,o4 1:2l,o6 \
    1:3l,o6 1:2l,oa 1:3l,oa 1:2l,ob 1:3l,ob 1:2l,p8 1:3l,p8 1:2n,o2 1:3n,o2 1:2p,o2 1:3p,o2 \
    1:2p,o8 1:2q,o1 1:3q,o1 1:2q,o7 1:3q,o7 1:2q,oc 1:3q,oc 12:2f,or 1:3f,or e:2l,or 1:3l,or \
    t:21,oc 1:31,oc 1:29,oc 1:39,oc 1:2f,oc 1:3f,oc 1:2l,oc 1:3l,oc 1:2l,o8,o4 1:3l,o8,o4 \
    1:2l,o8,o1 1:3l,o8,o1 1:2l,o8,oc 1:3l,o8,oc 1:2l,o8,o0 1:3l,o8,o0 2:21,o8,o4 1:31,o8,o4 \
    1:21,o7,o4 1:31,o7,o4 1:66,o4 1:76,o4 3:27,oc 1:37,oc 1:2b,oc 1:3b,oc 1:2f,p8 1:3f,p8 \
    1:2f,p8,o4 1:3f,p8,o4 1:dn,oc 1:ki,oc 1:3a,oc 4:27,o1 1:37,o1 3:2e,o0 1:3e,o0 1:21,oa,o1 \
    1:31,oa,o1 1:66,o1 1:76,o1 1:6o,o1 1:7o,o1 1:21,of 1:31,of 1:21,oh 1:31,oh 1:25,of 1:35,of \
    1:25,oh 1:35,oh 1:29,of 1:39,of 1:29,oh 1:39,oh 1:2f,of 1:3f,of 1:2f,oh 1:3f,oh 1:2i,of \
    1:3i,of 1:2i,oh 1:3i,oh 1:2l,of 1:3l,of 1:2l,oh 1:3l,oh 1:2j,p6 1:3j,p6 1:2k,p6 1:3k,p6 \
    3:28,oc 1:38,oc 7:21,o7 1:31,o7 1:25,p7 1:35,p7 1:2f,o8,o4 1:3f,o8,o4 1:2f,o3,o4 1:3f,o3,o4 \
    1:2f,o7 1:3f,o7 1:2f,o7,o4 1:3f,o7,o4 1:2p,o4 1:3p,o4 8d:o0 1:o1 2:oj 1:o8,o1 1g:lp a:1r \
    7:58,o1 1:sh,o1 1:5n 1:sl,o1 1:sn,o1 1:sp,o1 2:sv,o1 2:t5,o1 1:t9,o1 1:tp,o8,o1 q:sp,o8 \
    1:t5,o8 1:th,o1 1:tl,o1 1:tn,o1 1:tp,o1 1:u5,o8,o1 q:tp,o8 1:u5,o8 1:tv,o1 1:u5,o1 1:u9,o1 \
    5:ui,o1 1:ui,o8 1c:10l,o0 1:10l,o8 2:10j,o1 4:106,o8 5:10q,o1 1:10o,o0 1:113,o6 b:10o,o6 \
    10:11o,o6 n:11l,o0 1:11l,o8 2:11j,o1 4:12m,o8 5:11q,o1 1:11o,o0 1:123,o6 o:13k,of 1:13l,of \
    2a:10m,o6 1:11m,o6 e:10g,o6 1:11g,o6 1:10g,o8 1:11g,o8 3:10l,o6 1:11l,o6 3:16o,o8 1:16p,o8 \
    1:10m,o8 1:11m,o8 1:10n,o8 1:11n,o8 3:10o,o4 1:11o,o4 1:10o,o8 1:11o,o8 1:10u,o8 1:11u,o8 \
    3:178,o8 1:179,o8 1:11d,o8 1:12d,o8 1:113,o4 1:123,o4 1:113,o8 1:123,o8 1:113,ob 1:123,ob \
    1:117,o8 1:127,o8 3:11b,o8 1:12b,o8 99:1h7,1ij 1:1h7,1ik 1:1i8,1ik 1:1h7,1il 1:1ia,1ik \
    4q:1ml,1ik 2:1m1,1ik h:1mi,1ik im:298,29s 8:29g,29s 3:29j,29s 14:28l,29s 1:28m,29s \
    1:28n,29s 1:28s,29s 1:291,29s 1:292,29s 1:29b,29s 1:29f,29s 3c:2e7,2du 1:2e7,2en g:2d1,2ds \
    1:2d2,2ds 2:2df,2ds 2k:2hi,2hs 3:2ho,2hs 13:2gm,2hs 1:2gn,2hs 1:2gs,2hs 3:2hb,2hs \
    7a:2q7,2qm 3:2q7,2pu 1:2q7,2qn g:2p1,2ps 1:2p2,2ps 1n:2si,2un 1m:2u6,2tu 1:2u7,2tu \
    1:2u6,2un 3s:326,32m 3o:35v,36l 7:366,36l 1:366,36m 2:366,362 1:366,362,36l 3v:3a6,39u \
    1:3a7,39u 1:3a6,3an 4e:3ep,3ea 2:3ep,3ef 1:3ep,3ef,3ea 1:3ep,3ev b5:3q2,3tn a:3qc,3tn \
    5:3qh,3tn 5:3qm,3tn 5:3qr,3tn d:3q0,3tl a:3rh,3ri 2:3rh,3rk 1:3ti,3s0 2:3tj,3s0 9:3rh,3s0 \
    i:3si,3tn a:3ss,3tn 5:3t1,3tn 5:3t6,3tn 5:3tb,3tn d:3sg,3tl 3d:415,41e 2n0:6o5,6pl \
    2:6o7,6pl 2:6o9,6pl 2:6ob,6pl 2:6od,6pl 4:6oh,6pl 19:6pq,6pl 2:6ps,6pl 3:6pu,6pl 1:6pv,6pl \
    2:6q2,6pl lt:21,p5 1:31,p5 1:22,o7 1:32,o7 1:22,p3 1:32,p3 1:22,ph 1:32,ph 1:23,p7,o1 \
    1:33,p7,o1 1:24,o7 1:34,o7 1:24,p3 1:34,p3 1:24,ph 1:34,ph 1:24,p7 1:34,p7 1:24,pd 1:34,pd \
    1:25,o4,o0 1:35,o4,o0 1:25,o4,o1 1:35,o4,o1 1:25,pd 1:35,pd 1:25,pg 1:35,pg 1:25,p7,o6 \
    1:35,p7,o6 1:26,o7 1:36,o7 1:27,o4 1:37,o4 1:28,o7 1:38,o7 1:28,p3 1:38,p3 1:28,o8 1:38,o8 \
    1:28,p7 1:38,p7 1:28,pe 1:38,pe 1:29,pg 1:39,pg 1:29,o8,o1 1:39,o8,o1 1:2b,o1 1:3b,o1 \
    1:2b,p3 1:3b,p3 1:2b,ph 1:3b,ph 1:2c,p3 1:3c,p3 1:2c,p3,o4 1:3c,p3,o4 1:2c,ph 1:3c,ph \
    1:2c,pd 1:3c,pd 1:2d,o1 1:3d,o1 1:2d,o7 1:3d,o7 1:2d,p3 1:3d,p3 1:2e,o7 1:3e,o7 1:2e,p3 \
    1:3e,p3 1:2e,ph 1:3e,ph 1:2e,pd 1:3e,pd 1:2f,o3,o1 1:3f,o3,o1 1:2f,o3,o8 1:3f,o3,o8 \
    1:2f,o4,o0 1:3f,o4,o0 1:2f,o4,o1 1:3f,o4,o1 1:2g,o1 1:3g,o1 1:2g,o7 1:3g,o7 1:2i,o7 1:3i,o7 \
    1:2i,p3 1:3i,p3 1:2i,p3,o4 1:3i,p3,o4 1:2i,ph 1:3i,ph 1:2j,o7 1:3j,o7 1:2j,p3 1:3j,p3 \
    1:2j,o1,o7 1:3j,o1,o7 1:2j,oc,o7 1:3j,oc,o7 1:2j,p3,o7 1:3j,p3,o7 1:2k,o7 1:3k,o7 1:2k,p3 \
    1:3k,p3 1:2k,ph 1:3k,ph 1:2k,pd 1:3k,pd 1:2l,p4 1:3l,p4 1:2l,pg 1:3l,pg 1:2l,pd 1:3l,pd \
    1:2l,o3,o1 1:3l,o3,o1 1:2l,o4,o8 1:3l,o4,o8 1:2m,o3 1:3m,o3 1:2m,p3 1:3m,p3 1:2n,o0 1:3n,o0 \
    1:2n,o1 1:3n,o1 1:2n,o8 1:3n,o8 1:2n,o7 1:3n,o7 1:2n,p3 1:3n,p3 1:2o,o7 1:3o,o7 1:2o,o8 \
    1:3o,o8 1:2p,o7 1:3p,o7 1:2q,o2 1:3q,o2 1:2q,p3 1:3q,p3 1:2q,ph 1:3q,ph 1:38,ph 1:3k,o8 \
    1:3n,oa 1:3p,oa 2:bv,o7 5:21,p3 1:31,p3 1:21,o9 1:31,o9 1:21,o2,o1 1:31,o2,o1 1:21,o2,o0 \
    1:31,o2,o0 1:21,o2,o9 1:31,o2,o9 1:21,o2,o3 1:31,o2,o3 1:21,p3,o2 1:31,p3,o2 1:21,o6,o1 \
    1:31,o6,o1 1:21,o6,o0 1:31,o6,o0 1:21,o6,o9 1:31,o6,o9 1:21,o6,o3 1:31,o6,o3 1:21,p3,o6 \
    1:31,p3,o6 1:25,p3 1:35,p3 1:25,o9 1:35,o9 1:25,o3 1:35,o3 1:25,o2,o1 1:35,o2,o1 1:25,o2,o0 \
    1:35,o2,o0 1:25,o2,o9 1:35,o2,o9 1:25,o2,o3 1:35,o2,o3 1:25,p3,o2 1:35,p3,o2 1:29,o9 \
    1:39,o9 1:29,p3 1:39,p3 1:2f,p3 1:3f,p3 1:2f,o9 1:3f,o9 1:2f,o2,o1 1:3f,o2,o1 1:2f,o2,o0 \
    1:3f,o2,o0 1:2f,o2,o9 1:3f,o2,o9 1:2f,o2,o3 1:3f,o2,o3 1:2f,p3,o2 1:3f,p3,o2 1:2f,or,o1 \
    1:3f,or,o1 1:2f,or,o0 1:3f,or,o0 1:2f,or,o9 1:3f,or,o9 1:2f,or,o3 1:3f,or,o3 1:2f,or,p3 \
    1:3f,or,p3 1:2l,p3 1:3l,p3 1:2l,o9 1:3l,o9 1:2l,or,o1 1:3l,or,o1 1:2l,or,o0 1:3l,or,o0 \
    1:2l,or,o9 1:3l,or,o9 1:2l,or,o3 1:3l,or,o3 1:2l,or,p3 1:3l,or,p3 1:2p,o0 1:3p,o0 1:2p,p3 \
    1:3p,p3 1:2p,o9 1:3p,o9 1:2p,o3 1:3p,o3 7:th,oj 1:th,ok 1:th,oj,o0 1:th,ok,o0 1:th,oj,o1 \
    1:th,ok,o1 1:th,oj,q2 1:th,ok,q2 1:sh,oj 1:sh,ok 1:sh,oj,o0 1:sh,ok,o0 1:sh,oj,o1 \
    1:sh,ok,o1 1:sh,oj,q2 1:sh,ok,q2 1:tl,oj 1:tl,ok 1:tl,oj,o0 1:tl,ok,o0 1:tl,oj,o1 \
    1:tl,ok,o1 3:sl,oj 1:sl,ok 1:sl,oj,o0 1:sl,ok,o0 1:sl,oj,o1 1:sl,ok,o1 3:tn,oj 1:tn,ok \
    1:tn,oj,o0 1:tn,ok,o0 1:tn,oj,o1 1:tn,ok,o1 1:tn,oj,q2 1:tn,ok,q2 1:sn,oj 1:sn,ok \
    1:sn,oj,o0 1:sn,ok,o0 1:sn,oj,o1 1:sn,ok,o1 1:sn,oj,q2 1:sn,ok,q2 1:tp,oj 1:tp,ok \
    1:tp,oj,o0 1:tp,ok,o0 1:tp,oj,o1 1:tp,ok,o1 1:tp,oj,q2 1:tp,ok,q2 1:sp,oj 1:sp,ok \
    1:sp,oj,o0 1:sp,ok,o0 1:sp,oj,o1 1:sp,ok,o1 1:sp,oj,q2 1:sp,ok,q2 1:tv,oj 1:tv,ok \
    1:tv,oj,o0 1:tv,ok,o0 1:tv,oj,o1 1:tv,ok,o1 3:sv,oj 1:sv,ok 1:sv,oj,o0 1:sv,ok,o0 \
    1:sv,oj,o1 1:sv,ok,o1 3:u5,oj 1:u5,ok 1:u5,oj,o0 1:u5,ok,o0 1:u5,oj,o1 1:u5,ok,o1 \
    1:u5,oj,q2 1:u5,ok,q2 2:t5,ok 2:t5,ok,o0 2:t5,ok,o1 2:t5,ok,q2 1:u9,oj 1:u9,ok 1:u9,oj,o0 \
    1:u9,ok,o0 1:u9,oj,o1 1:u9,ok,o1 1:u9,oj,q2 1:u9,ok,q2 1:t9,oj 1:t9,ok 1:t9,oj,o0 \
    1:t9,ok,o0 1:t9,oj,o1 1:t9,ok,o1 1:t9,oj,q2 1:t9,ok,q2 1:th,o0 1:th,o1 1:tl,o0 1:tl,o1 \
    1:tn,o0 1:tn,o1 1:tp,o0 1:tp,o1 1:tv,o0 1:tv,o1 1:u5,o0 1:u5,o1 1:u9,o0 1:u9,o1 3:th,oj,q5 \
    1:th,ok,q5 1:th,oj,o0,q5 1:th,ok,o0,q5 1:th,oj,o1,q5 1:th,ok,o1,q5 1:th,oj,q2,q5 \
    1:th,ok,q2,q5 1:sh,oj,q5 1:sh,ok,q5 1:sh,oj,o0,q5 1:sh,ok,o0,q5 1:sh,oj,o1,q5 1:sh,ok,o1,q5 \
    1:sh,oj,q2,q5 1:sh,ok,q2,q5 1:tn,oj,q5 1:tn,ok,q5 1:tn,oj,o0,q5 1:tn,ok,o0,q5 1:tn,oj,o1,q5 \
    1:tn,ok,o1,q5 1:tn,oj,q2,q5 1:tn,ok,q2,q5 1:sn,oj,q5 1:sn,ok,q5 1:sn,oj,o0,q5 1:sn,ok,o0,q5 \
    1:sn,oj,o1,q5 1:sn,ok,o1,q5 1:sn,oj,q2,q5 1:sn,ok,q2,q5 1:u9,oj,q5 1:u9,ok,q5 1:u9,oj,o0,q5 \
    1:u9,ok,o0,q5 1:u9,oj,o1,q5 1:u9,ok,o1,q5 1:u9,oj,q2,q5 1:u9,ok,q2,q5 1:t9,oj,q5 1:t9,ok,q5 \
    1:t9,oj,o0,q5 1:t9,ok,o0,q5 1:t9,oj,o1,q5 1:t9,ok,o1,q5 1:t9,oj,q2,q5 1:t9,ok,q2,q5 1:th,o6 \
    1:th,o4 1:th,o0,q5 1:th,q5 1:th,o1,q5 2:th,q2 1:th,q2,q5 1:sh,o6 1:sh,o4 1:sh,o0 1:sh,o1 \
    1:sh,q5 2:tp 3:58,q2 1:tn,o0,q5 1:tn,q5 1:tn,o1,q5 2:tn,q2 1:tn,q2,q5 1:sl,o0 1:sl,o1 \
    1:sn,o0 1:sn,o1 1:sn,q5 1:7tv,o0 1:7tv,o1 1:7tv,q2 1:tp,o6 1:tp,o4 1:tp,o8,o0 1:tp,o8,o1 \
    3:tp,q2 1:tp,o8,q2 1:sp,o6 1:sp,o4 1:sp,o0 1:sp,o1 2:7vu,o0 1:7vu,o1 1:7vu,q2 1:u5,o6 \
    1:u5,o4 1:u5,o8,o0 1:u5,o8,o1 1:u1,oj 1:u1,ok 1:u5,q2 1:u5,o8,q2 1:t5,o6 1:t5,o4 1:t5,o0 \
    1:t5,o1 1:t1,ok 1:58,o0 1:58,o1 1:30 3:u9,o0,q5 1:u9,q5 1:u9,o1,q5 2:u9,q2 1:u9,q2,q5 \
    1:sv,o0 1:sv,o1 1:t9,o0 1:t9,o1 1:t9,q5 1:5k 3:802 1:803 95:t9 4:2b 1:21,oa 3f:8cg,po \
    1:8ci,po j:8ck,po v:8eg,po 1:8ek,po 1:8ei,po 1l:8g3,po 5:8g8,po 3:8gb,po o:8h3,po 2:8h5,po \
    r:8hs,po 3:8i3,po 3:8i5,po 2:8i8,po n:1t,po 2:8j1,po b:8id,po 1:1s,po 1:1u,po 1:8j4,po \
    1:8j5,po 3:8ji,po 1:8jj,po 3:8jm,po 1:8jn,po 7:8jq,po 1:8jr,po 3:8k2,po 1:8k3,po 3:8k6,po \
    1:8k7,po 13:8l2,po 1:8l8,po 1:8l9,po 1:8lb,po 1h:8js,po 1:8jt,po 1:8kh,po 1:8ki,po 7:8li,po \
    1:8lj,po 1:8lk,po 1:8ll,po 1s:c08 1:c09 1ti:amt,po 1bg:c2b,c4p 2:c2d,c4p 2:c2f,c4p \
    2:c2h,c4p 2:c2j,c4p 2:c2l,c4p 2:c2n,c4p 2:c2p,c4p 2:c2r,c4p 2:c2t,c4p 2:c2v,c4p 2:c31,c4p \
    3:c34,c4p 2:c36,c4p 2:c38,c4p 7:c3f,c4p 1:c3f,c4q 2:c3i,c4p 1:c3i,c4q 2:c3l,c4p 1:c3l,c4q \
    2:c3o,c4p 1:c3o,c4q 2:c3r,c4p 1:c3r,c4q n:c26,c4p a:c4t,c4p e:c5b,c4p 2:c5d,c4p 2:c5f,c4p \
    2:c5h,c4p 2:c5j,c4p 2:c5l,c4p 2:c5n,c4p 2:c5p,c4p 2:c5r,c4p 2:c5t,c4p 2:c5v,c4p 2:c61,c4p \
    3:c64,c4p 2:c66,c4p 2:c68,c4p 7:c6f,c4p 1:c6f,c4q 2:c6i,c4p 1:c6i,c4q 2:c6l,c4p 1:c6l,c4q \
    2:c6o,c4p 1:c6o,c4q 2:c6r,c4p 1:c6r,c4q n:c56,c4p 3:c7f,c4p 1:c7g,c4p 1:c7h,c4p 1:c7i,c4p \
    4:c7t,c4p 1i02:1328 1:pnk 1:13ma 1:1368 1:rmh 1:jhi 1:kv5 1:17ss 1:17ss 1:mah 1:14eh 1:lc7 \
    1:ma8 1:ofm 1:tj9 1:vs5 1:11hv 1:11tq 1:127o 1:144f 1:qg2 1:r8r 1:s6p 1:suu 1:111t 1:14ba \
    1:16fh 1:jk2 1:krl 1:qo4 1:sgr 1:11hd 1:17gu 1:nag 1:rvb 1:11ed 1:12b4 1:om9 1:10eo 1:120v \
    1:nma 1:pon 1:rba 1:sns 1:146e 1:js6 1:kdn 1:kmu 1:p64 1:qmj 1:sgg 1:tn7 1:1001 1:11g6 \
    1:11is 1:13ff 1:15pi 1:16rf 1:17fq 1:u4c 1:ubv 1:vd0 1:10u9 1:14o4 1:17jv 1:12mm 1:m6v \
    1:no4 1:v30 1:103u 1:sj2 1:u6a 1:1362 1:15nn 1:m6o 1:n32 1:qgj 1:req 1:rof 1:v9f 1:vhn \
    1:15ib 1:kmi 1:104b 1:kes 1:kec 1:ugs 1:vdu 1:10vh 1:15jl 1:12s0 1:omf 1:qg2 1:12nu 1:jhp \
    1:mv7 1:o0i 1:ss7 1:tbg 1:kon 1:u7r 1:jtv 1:nt9 1:jgd 1:r6c 1:pbo 1:v92 1:ku3 1:m2u 1:to1 \
    1:1129 1:12la 1:qtq 1:13tg 1:r48 1:onu 1:10n5 1:ot0 1:tb5 1:jle 1:kb9 1:ke9 1:q41 1:v77 \
    1:10jf 1:12mi 1:14ef 1:knl 1:l22 1:mbj 1:nnc 1:pe5 1:rvu 1:u9a 1:15dd 1:16ja 1:17kn 1:17me \
    1:kkr 1:pm6 1:qrn 1:13r2 1:njk 1:ocg 1:og0 1:p4q 1:rp3 1:sa9 1:t49 1:uea 1:vfk 1:103f \
    1:13p6 1:117e 1:1413 1:14qa 1:kgn 1:kl3 1:l5t 1:s68 1:1262 1:12la 1:nm9 1:nvl 1:orr 1:qte \
    1:v1u 1:srl 1:jn4 1:lnp 1:mv7 1:ndq 1:o0s 1:sti 1:t39 1:vsq 1:1026 1:14hk 1:15nm 1:15q8 \
    1:160o 1:jsb 1:ude 1:14dk 1:15lo 1:o71 1:jk6 1:k6q 1:mve 1:n1v 1:pcp 1:qg2 1:see 1:ti2 \
    1:117s 1:143s 1:17sd 1:pk8 1:15he 1:kk9 1:prr 1:pvj 1:ra1 1:rks 1:t09 1:tap 1:u3b 1:v8g \
    1:162u 1:kbd 1:ohe 1:15jo 1:k1b 1:n8p 1:rfa 1:13pa 1:nsb 1:oa4 1:q0n 1:ss7 1:15k6 1:kh9 \
    1:l0f 1:n35 1:pgj 1:pqe 1:q58 1:r75 1:t06 1:tf2 1:vrp 1:126f 1:1271 1:14ec 1:15n2 1:kpv \
    1:rlq 1:l0t 1:seg 1:t4o 1:11fq 1:15l3 1:172n 1:17kv 1:psn 1:reb 1:10f8 1:umb 1:up0 1:v4i \
    1:sm0 1:s4p 1:12qo 1:jm0 1:10pm 1:khq 1:kg7 1:nl6 1:omj 1:v6m 1:ms5 1:r8u 1:plk 1:13pr \
    1:122c 1:15id 1:12cb 1:nmj 1:ka0 1:le0 3:m2q 2:pjk 3:keu 1:spa 1:tma 1:u9s 1:uau 1:ub5 \
    1:ucf 1:15qm 1:v5u 1:vtt 2:11gi 2:12no 3:141o 1:147t 4:167f 1:167s 1:1698 1:17dk 1:146u \
    1:15ln 1:jte 1:k77 1:kad 1:km9 1:kn4 1:kqh 1:lct 1:lg6 1:lj8 1:m20 1:m58 1:n34 1:n3e 1:o4k \
    1:ob8 1:oce 1:ofi 1:paf 1:pf2 1:pkh 1:q45 1:rbn 1:rgq 1:rp2 1:sbe 1:shb 1:t12 1:u4h 1:u9u \
    1:ua9 1:ua8 1:uag 1:uam 1:uat 1:ucd 1:uce 1:ui0 1:uk1 1:uu0 1:vfk 1:vg9 1:vi1 1:vri 1:1005 \
    1:10fd 1:10jp 1:10jp 1:112n 1:128g 1:12cm 1:12o1 1:12pp 1:136j 1:1388 1:13tm 1:141o 1:15n3 \
    1:15vv 1:161r 1:o3l 1:4gne 1:10go 3:jh6 1:kdl 1:kb8 1:js0 1:ka5 1:kc0 1:km7 1:knq 1:lct \
    1:lal 1:lcp 1:lf2 1:m2q 1:m5j 1:ma4 1:mak 1:mj2 1:mp8 1:nmi 1:nmp 1:nr9 1:ntd 1:o6o 1:oae \
    1:o88 1:oce 1:ob0 1:ofi 1:ohk 1:ou4 1:p0s 1:p2i 1:pam 1:pjk 1:pon 1:por 1:pqm 1:qrp 1:qtq \
    1:ra1 1:rmr 1:rmb 1:rp2 1:s0u 1:sbe 1:tt7 1:shl 1:slf 1:spa 1:t3h 1:t86 1:t9r 1:tgt 1:tgv \
    1:tma 1:tmr 1:tnk 1:tqa 1:tq0 1:u6c 1:ulh 1:uu0 1:v3r 1:var 1:vfk 1:vpu 1:1005 1:10qi \
    1:10vf 1:11rp 1:12a1 1:12c6 1:12cm 1:12lv 1:12no 1:12mb 1:12o1 1:12nu 1:12nd 1:12pp 1:12sa \
    1:1388 1:13po 1:143i 1:14cp 1:14jm 1:15js 1:15n3 1:15qm 1:15ur 1:15vv 1:160b 1:161r 1:16oi \
    1:17ss 1:4a2a 1:4a24 1:4cul 1:est 1:g0o 1:g1p 1:4ki9 1:4n6g 1:4vmj 1:17q3 1:17se 24:1ep,1dk \
    2:1fi,1dn b:1f9,1e1 1:1f9,1e2 1:1f9,1ds,1e1 1:1f9,1ds,1e2 1:1eg,1dn 1:1eg,1do 1:1eg,1ds \
    1:1eh,1ds 1:1ei,1ds 1:1ej,1ds 1:1ek,1ds 1:1el,1ds 1:1em,1ds 2:1eo,1ds 1:1ep,1ds 1:1eq,1ds \
    1:1er,1ds 1:1es,1ds 2:1eu,1ds 2:1f0,1ds 1:1f1,1ds 2:1f3,1ds 1:1f4,1ds 2:1f6,1ds 1:1f7,1ds \
    1:1f8,1ds 1:1f9,1ds 1:1fa,1ds 1:1el,1dp 1:1eh,1dv 1:1er,1dv 1:1f4,1dv 2jr:21ei,o7 r:21eq,o7 \
    2lm:244p,245q 2:244r,245q f:2455,245q 43:249h,2497 1:249i,2497 gs:24q7,24pu 1:24q7,24qn \
    1n:24s2,24u9 2:24s4,24tr 9:24sb,24u2 3:24sg,24u9 1k:24u2,24u2 2:24u2,24to 1:24u2,24u9 \
    7j:255p,255q 1:255p,255g 2:255p,255t 7s:25do,25df 1:25dp,25df rt:269l,269g hv9:2o8u,2o8u \
    1:2o8u,2o99 1:2o8u,2o8v 1:2o99,2o8v 1:2o8u,2o90 1:2o8u,2o8u,2o8v 1:2o8u,2o99,2o8v \
    1:2o8u,2o8u,2o90 320:2rb7,2rb7 1:2rb3,2rb7 1:2rb3,2rb7,2rb7 ovk:3kan,3kb5 1:3kao,3kb5 \
    1:3kao,3kb5,3kbe 1:3kao,3kb5,3kbf 1:3kao,3kb5,3kbg 1:3kao,3kb5,3kbh 1:3kao,3kb5,3kbi \
    2n:3kdp,3kb5 1:3kdq,3kb5 1:3kdp,3kb5,3kbe 1:3kdq,3kb5,3kbe 1:3kdp,3kb5,3kbf \
    1:3kdq,3kb5,3kbf 29i0:jht 1:jho 1:ji1 1:4092 1:jr0 1:jte 1:jtr 1:k02 1:k3q 1:k4p 1:k77 \
    1:k6f 1:d4u 1:41hq 1:kad 1:kak 1:kb4 1:kbn 1:418s 1:d5p 1:kb7 1:kcd 1:41ab 1:kcn 1:kd4 \
    1:jmc 1:kdc 1:kdl 1:54ev 1:kfl 1:kg3 1:d6v 1:khr 1:ki6 1:kji 1:kjn 1:d8l 1:km7 1:km9 1:kn4 \
    1:knq 1:ko5 1:ko6 1:kon 1:kq9 1:kqh 1:kqq 1:krj 1:krt 1:krv 1:krv 1:krv 1:42hc 1:s3g 1:kua \
    1:kuv 1:42r3 1:kvb 1:kvh 1:l06 1:l4u 1:l1o 1:l28 1:l38 1:l52 1:l7m 1:l8g 1:laj 1:lb3 1:lc4 \
    1:lc4 1:lcp 1:ldb 1:ldj 1:le2 1:lom 1:lg6 1:lon 1:lih 1:ljk 1:kg7 1:m7e 1:lue 1:lvk 1:m0d \
    1:lsb 1:m1i 1:m1h 1:m5c 1:4574 1:m7i 1:m7n 1:m86 1:m8q 1:m92 1:mb2 1:45l8 1:45na 1:mfc \
    1:mgr 1:mh7 1:meo 1:mj6 1:dne 1:dns 1:mo8 1:mpu 1:mpu 1:46e8 1:mu3 1:muo 1:mv7 1:mvj 1:46oo \
    1:mvv 1:n06 1:nqj 1:n12 1:ds1 1:n30 1:n3e 1:n60 1:n4d 1:47f4 1:na3 1:47f6 1:nbe 1:nbb 1:nbs \
    1:nf1 1:nf2 1:e1f 1:nft 1:nh8 1:nht 1:nj9 1:e32 1:48c3 1:e3s 1:nlg 1:nlj 1:nlm 1:nma 1:58si \
    1:nnu 1:48ph 1:48ph 1:10g1 1:np2 1:np2 1:e67 1:4clo 1:4oeq 1:nr2 1:nrb 1:e73 1:nsq 1:nud \
    1:nun 1:nvp 1:o41 1:e9q 1:e8s 1:o4k 1:49mk 1:o67 1:oa8 1:oac 1:oae 1:oac 1:obq 1:oce 1:odi \
    1:od4 1:odf 1:oeu 1:ofi 1:ofm 1:ogg 1:ogr 1:oit 1:olh 1:omk 1:oqg 1:4aoc 1:opt 1:ons 1:or8 \
    1:os3 1:ov4 1:4avh 1:p12 1:ou5 1:ot9 1:ehe 1:p39 1:p3u 1:p4t 1:p3n 1:ejc 1:paf 1:pbc 1:4c0a \
    1:pf3 1:pno 1:pi9 1:eop 1:pkh 1:eo8 1:en4 1:kci 1:kcl 1:po0 1:pks 1:105d 1:gup 1:pon 1:por \
    1:pp1 1:pqu 1:pqj 1:4cu3 1:eq9 1:pvq 1:ps5 1:q2i 1:q45 1:4d3d 1:q4e 1:q0v 1:q8k 1:est 1:qa2 \
    1:qd3 1:qfa 1:ql8 1:4dl3 1:qmr 1:f0o 1:qp1 1:4e57 1:qqk 1:f2e 1:qri 1:qsv 1:qtq 1:qtr \
    1:4ekd 1:478b 1:4enq 1:r2e 1:4f5s 1:r5v 1:r6d 1:r37 1:r8m 1:r9u 1:rbn 1:ra1 1:rb9 1:rbo \
    1:rc5 1:4f8u 1:r9k 1:rhf 1:rje 1:f9j 1:rmb 1:rm7 1:4fmh 1:rfp 1:rre 1:4fqu 1:4fse 1:ru6 \
    1:s1p 1:s0u 1:s0r 1:fcm 1:s2a 1:s3t 1:s3n 1:s5d 1:4195 1:sa5 1:4gj3 1:scs 1:4gtb 1:sh8 \
    1:shl 1:sig 1:4hg8 1:sk0 1:skl 1:4hpl 1:4i0k 1:srq 1:ssb 1:flc 1:st5 1:flo 1:flo 1:t27 \
    1:t2s 1:t3h 1:t45 1:t6a 1:for 1:t94 1:4j1m 1:t9u 1:4j4i 1:tbg 1:48cv 1:tgg 1:4jt1 1:4jto \
    1:4k24 1:fvs 1:g08 1:tnk 1:4k7j 1:4k7i 1:4k8p 1:4k9j 1:tou 1:tov 1:tov 1:tqa 1:g1p 1:tsb \
    1:g26 1:g4m 1:4l0t 1:u2e 1:u4c 1:u6c 1:g73 1:4lh6 1:uam 1:4lkq 1:4lm5 1:ucf 1:ufb 1:g9f \
    1:ui0 1:uia 1:uif 1:4mbs 1:4ml7 1:4ml7 1:une 1:gg2 1:4mtb 1:uu6 1:uu9 1:gh7 1:4n40 1:v6i \
    1:gl0 1:v78 1:v73 1:v80 1:4ns6 1:vb3 1:go1 1:ve7 1:vg2 1:vi5 1:gpk 1:4oh8 1:4oi7 1:gqp \
    1:4omp 1:vrq 1:4opu 1:vsl 1:vvq 1:1005 1:4p6q 1:4p93 1:1030 1:4pd8 1:103g 1:4cqv 1:gul \
    1:105i 1:1083 1:h0b 1:109u 1:mll 1:4pt7 1:4ptl 1:4csj 1:4css 1:10g1 1:10g4 1:13su 1:h3b \
    1:10kh 1:10kb 1:10kt 1:klj 1:10lh 1:10lj 1:10lt 1:10n6 1:4qps 1:10n5 1:10ot 1:10r3 1:10td \
    1:10p3 1:10tt 1:10v7 1:112n 1:10qj 1:10ua 1:10uc 1:10us 1:4r1m 1:4rbb 1:4r6l 1:h9b 1:117h \
    1:117j 1:118m 1:4sua 1:11b4 1:4rpc 1:hat 1:hb1 1:4rth 1:4s6i 1:hbb 1:11ig 1:11is 1:11j7 \
    1:11j9 1:11l9 1:11k8 1:11oe 1:11n2 1:11rp 1:11p8 1:11rb 1:11s6 1:hen 1:11v1 1:1201 1:hfp \
    1:1230 1:1233 1:4tj7 1:126n 1:126u 1:hhl 1:127q 1:d5r 1:4u5e 1:4ub6 1:hlu 1:hm7 1:12l0 \
    1:12nd 1:12sa 1:132l 1:4v58 1:135b 1:1361 1:138r 1:13bn 1:4vpf 1:4204 1:13eb 1:13ds 1:13fg \
    1:426u 1:13mk 1:13po 1:51ei 1:51fd 1:144k 1:147h 1:148h 1:51pe 1:148r 1:14ho 1:14mn 1:14mo \
    1:14js 1:14vp 1:150l 1:52vq 1:15cb 1:icl 1:15dn 1:53bn 1:if6 1:15m3 1:ndi 1:15p3 1:54a5 \
    1:54gq 1:ije 1:ijm 1:15v0 1:550a 1:ili 1:554m 1:160b 1:160b 1:1619 1:55dm 1:1672 1:ipj \
    1:1699 1:16d7 1:16e2 1:16fu 1:iue 1:56pg 1:16oi 1:1720 1:177t 1:j6e 1:j7d 1:17b7 1:586e \
    1:j7o 1:5885 1:58ge 1:58kh 1:17lr 1:jam 1:17np 1:17nu 1:17o5 1:17of 1:17om 1:17pr 1:59g0
    """
}
