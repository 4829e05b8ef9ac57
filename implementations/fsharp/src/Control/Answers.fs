/// Answers: one JSON object a line, written by `Utf8JsonWriter` (spec/stdio.md).
namespace Dramaturg.Control

open System
open System.Buffers
open System.IO
open System.Text.Json
open Dramaturg.Benchmarks
open Dramaturg.Runtime

/// Where answers go. Two threads answer.
[<Sealed>]
type Answers(output: Stream) =
    let line id (body: Utf8JsonWriter -> unit) =
        let buffer = ArrayBufferWriter<byte>()
        use writer = new Utf8JsonWriter(buffer)
        writer.WriteStartObject()
        writer.WriteNumber("id", (id: uint64))
        body writer
        writer.WriteEndObject()
        writer.Flush()
        buffer.Write(ReadOnlySpan [| byte '\n' |])

        lock output (fun () ->
            output.Write buffer.WrittenSpan
            output.Flush())

    let nested (name: string) (fields: Utf8JsonWriter -> unit) (writer: Utf8JsonWriter) =
        writer.WriteStartObject name
        fields writer
        writer.WriteEndObject()

    /// `fields` writes the fields of the message.
    member _.Reply(id, fields) = line id (nested "reply" fields)

    member _.Item(id, name, fields) = line id (nested "item" (nested name fields))

    member _.End id =
        line id (fun writer -> writer.WriteBoolean("end", true))

    member _.Error(id, reason: string) =
        line id (fun writer -> writer.WriteString("error", reason))

module Write =
    let numbers (name: string) (values: uint64 seq) (writer: Utf8JsonWriter) =
        writer.WriteStartArray name

        for value in values do
            writer.WriteNumberValue value

        writer.WriteEndArray()

    let number (name: string) (value: uint64) (writer: Utf8JsonWriter) = writer.WriteNumber(name, value)

    let figure (writer: Utf8JsonWriter) (name, figure) =
        match figure with
        | One value -> number name value writer
        | Many values -> numbers name values writer
        | Text value -> writer.WriteString((name: string), value)
