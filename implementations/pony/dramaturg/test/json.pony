use "pony_test"
use "../json"

class iso _JsonReadsWhatRequestsAreMadeOf is UnitTest
  fun name(): String => "json: reads what requests are made of"

  fun apply(h: TestHelper) ? =>
    let text =
      """
      { "id" : 4294967295, "call": "a\"\u00e9\ud83d\ude00\n",
        "list": [ 1, 2 ,3 ], "objects": [{"n": 7}, {}], "no": false,
        "yes":true, "nothing" : null }
      """
    let message = JsonObject.parse(text)?
    h.assert_eq[U32](4294967295, message.number("id"))
    h.assert_eq[String]("a\"é😀\n", message("call") as String)
    h.assert_array_eq[U32]([1; 2; 3], message.numbers("list"))
    h.assert_eq[U32](7, message.objects("objects")(0)?.number("n"))
    h.assert_eq[U32](0, message.objects("objects")(1)?.number("n"))
    h.assert_true(message.flag("yes") and not message.flag("no"))
    h.assert_true(message("nothing") is None)

class iso _JsonRefusesWhatIsNone is UnitTest
  fun name(): String => "json: refuses what is none"

  fun apply(h: TestHelper) =>
    for text in
      [ ""; "{"; "{\"a\"}"; "{\"a\":}"; "{\"a\":1,}"; "{\"a\":1}}"
        "{\"a\":tru}"; "{\"a\":\"\\x\"}"; "{\"a\":[1 2]}"; "[]" ].values()
    do
      h.assert_error({() ? => JsonObject.parse(text)? }, text)
    end
