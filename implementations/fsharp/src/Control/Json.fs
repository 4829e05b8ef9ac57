/// Values of JSON, read by `Utf8JsonReader`.
namespace Dramaturg.Control

open System
open System.Text
open System.Text.Json

type Json =
    | Null
    | Truth of bool
    | Number of uint64
    | Text of string
    | List of Json list
    | Object of (string * Json) list

module Json =
    let rec private value (reader: byref<Utf8JsonReader>) =
        match reader.TokenType with
        | JsonTokenType.StartObject -> Object(fields &reader)
        | JsonTokenType.StartArray -> List(elements &reader)
        | JsonTokenType.Number -> Number(reader.GetUInt64())
        | JsonTokenType.String -> Text(reader.GetString())
        | JsonTokenType.True -> Truth true
        | JsonTokenType.False -> Truth false
        | _ -> Null

    and private fields (reader: byref<Utf8JsonReader>) =
        let found = ResizeArray()

        while reader.Read()
              && reader.TokenType <> JsonTokenType.EndObject do
            let name = reader.GetString()
            reader.Read() |> ignore
            found.Add((name, value &reader))

        List.ofSeq found

    and private elements (reader: byref<Utf8JsonReader>) =
        let found = ResizeArray()

        while reader.Read()
              && reader.TokenType <> JsonTokenType.EndArray do
            found.Add(value &reader)

        List.ofSeq found

    let parse (line: string) =
        let bytes = Encoding.UTF8.GetBytes line
        let mutable reader = Utf8JsonReader(ReadOnlySpan bytes)
        reader.Read() |> ignore
        value &reader

    /// A field that has to be there.
    let field name =
        function
        | Object fields ->
            match List.tryFind (fst >> (=) name) fields with
            | Some (_, found) -> found
            | None -> failwithf "no field %s" name
        | other -> failwithf "%A has no field %s" other name

    /// The one field of what has one.
    let only =
        function
        | Object [ name, value ] -> name, value
        | other -> failwithf "not one field: %A" other

    /// A number of at most 32 bits; 1 or 0 of what is true or false.
    let number =
        function
        | Number number -> uint32 number
        | Truth truth -> if truth then 1u else 0u
        | other -> failwithf "no number: %A" other

    /// A number of at most 64 bits.
    let wide =
        function
        | Number number -> number
        | other -> failwithf "no number: %A" other

    let list =
        function
        | List elements -> elements
        | other -> failwithf "no list: %A" other

    let text =
        function
        | Text text -> text
        | other -> failwithf "no string: %A" other
