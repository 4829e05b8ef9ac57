%% Digests of 32 bits (ACT-8): one more number in a digest, and the sum of two. Macros, because
%% a call to another module would be most of what they cost.
-define(FOLD(Digest, Number), ((31 * ((Digest) bxor (Number)) + 1) band 16#FFFFFFFF)).
-define(SUM(A, B), (((A) + (B)) band 16#FFFFFFFF)).
