use @_exit[None](status: I32)
use @malloc[Pointer[U8]](size: USize)
use @pipe[I32](ends: Pointer[(I32, I32)] tag)
use @pthread_create[I32](
  thread: Pointer[USize] tag,
  attributes: Pointer[None] tag,
  start: @{(USize): USize},
  argument: USize)
use @read[ISize](file: I32, bytes: Pointer[U8] tag, size: USize)
use @write[ISize](file: I32, bytes: Pointer[U8] tag, size: USize)

primitive Input
  """
  Standard input, by way of a thread that does nothing but pass it on.

  The end of the input must end the process whatever is under way, also a trace
  that nobody reads: then the actor that reads requests writes, and waits. The
  thread is not the runtime's, and so may do nothing but call C.
  """
  fun apply(): I32 =>
    """
    The end of a pipe from which the input can be read.
    """
    var ends: (I32, I32) = (-1, -1)
    @pipe(addressof ends)
    (let from, let to) = ends
    var thread: USize = 0
    @pthread_create(
      addressof thread,
      Pointer[None],
      @{(to': USize): USize =>
        let bytes = @malloc(4096)
        while true do
          let size = @read(0, bytes, 4096)
          if size == 0 then
            @_exit(0)
          elseif size > 0 then
            @write(to'.i32(), bytes, size.usize())
          end
        end
        0
      },
      to.usize())
    from
