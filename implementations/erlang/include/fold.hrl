%% 32 bits (ACT-8): one more number in a digest or in a checksum, and the sum of two. Macros,
%% because a call to another module would be most of what they cost; the compiler takes the fun
%% for what it is, a name.
-define(FOLD(Digest, Number),
    (fun(Folded) -> Folded bxor (Folded bsr 16) end)(
        (1664525 * (Digest) + 1013904223 + (Number)) band 16#FFFFFFFF
    )
).
-define(CHECK(Sum, Number), ((31 * (Sum) + (Number)) band 16#FFFFFFFF)).
-define(SUM(A, B), (((A) + (B)) band 16#FFFFFFFF)).

%% What a payload adds to the sums of what was announced and of what was consumed (ACT-8).
-define(DIGEST(Payload), ?FOLD((Payload) bsr 32, (Payload) band 16#FFFFFFFF)).
