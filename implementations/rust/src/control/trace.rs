//! The stream of a `trace`: batches, counts, footer (TRACE-3, CTRL-7, CTRL-18).

use std::mem::take;

use super::protocol::{Batch, Counts, Footer, Traced};
use crate::runtime::world::World;

/// Rows of one message. The arguments of most rows are few and small, so that a batch
/// of this size is far below 4 MiB.
const ROWS: usize = 32_768;

/// Arguments of one message: ten bytes each at most, so 1.25 MiB.
const ARGUMENTS: usize = 131_072;

/// Sends what was logged and not delivered yet, and gives its room back. Under a log limit there are no
/// counts.
pub fn trace(world: &World, mut send: impl FnMut(Traced)) {
    let limited = world.room().limited();
    let mut footer = Footer::default();
    let mut batch = Batch::default();
    let mut counts = Vec::new();
    for record in world.records() {
        let (events, taken) = record.deliver();
        if !limited {
            counts.push((record.name, taken));
        }
        footer.events += events.kinds.len();
        let mut arguments = events.arguments.into_iter();
        for (sender, kind) in events.senders.into_iter().zip(events.kinds) {
            let arity = crate::runtime::table::message(kind).map_or(0, |(_, arity)| arity);
            batch.actor.push(record.name);
            batch.sender.push(sender);
            batch.kind.push(kind);
            batch.args.extend(arguments.by_ref().take(arity));
            if batch.kind.len() == ROWS || batch.args.len() >= ARGUMENTS {
                send(Traced::Batch(take(&mut batch)));
            }
        }
    }
    if !batch.kind.is_empty() {
        send(Traced::Batch(batch));
    }
    footer.watched = counts.len();
    for rows in counts.chunks(ROWS) {
        let (actor, taken) = rows.iter().copied().unzip();
        send(Traced::Counts(Counts { actor, taken }));
    }
    let delivered = footer.events;
    send(Traced::Footer(footer));
    world.room().delivered(delivered);
}
