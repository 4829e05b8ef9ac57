use "pony_test"

actor Main is TestList
  new create(env: Env) =>
    PonyTest(env, this)

  new make() =>
    None

  fun tag tests(test: PonyTest) =>
    test(_Vectors)
    test(_BucketsAreThoseOfTheChapter)
    test(_JsonReadsWhatRequestsAreMadeOf)
    test(_JsonRefusesWhatIsNone)
    test(_NamesAreSpelt)
    test(_TheFirstRowThatFitsWatches)
    test(_AWatchKeepsItsSliceAndCountsAll)
    test(_NobodyIsWatchedWithoutRows)
    test(_ALogIsReadAsItWasWritten)
    test(_LogsAreFound)
    test(_ALogTakesRoomForItsSlice)
    test(_RoomIsWaitedFor)
    _Benchmarks.tests(test)
    for name in _Benchmarks.names().values() do
      test(_ARunReportsAndNobodyIsLeft(name))
    end
