package dramaturg.chatapp

import dramaturg.v2.Benchmarks.{ChatAppParameters, Selection}
import dramaturg.v2.Trace.Choice

/** What actors read, at every act: probabilities in percent. */
final case class Parameters(
    clients: Int,
    directories: Int,
    turns: Int,
    actions: List[Action],
    befriend: Int,
    selection: Selection,
    fibN: Int,
    history: Boolean,
    seed: Int
)

object Parameters {
  def apply(p: ChatAppParameters): Parameters = {
    val chances = List(
      Choice.CHOICE_COMPUTE -> p.getCompute,
      Choice.CHOICE_POST -> p.getPost,
      Choice.CHOICE_LEAVE -> p.getLeave,
      Choice.CHOICE_INVITE -> p.getInvite
    )
    val limits = chances.map { case (_, chance) => chance }.scanLeft(0)(_ + _).tail
    Parameters(
      p.getClients,
      p.getDirectories,
      p.getTurns,
      chances.zip(limits).map { case ((choice, chance), limit) => Action(choice, chance, limit) },
      p.getBefriend,
      p.getSelection,
      p.getFibN,
      p.getHistory,
      p.getSeed
    )
  }
}

/** An action, its probability, and where its range of a single draw ends. */
final case class Action(choice: Choice, chance: Int, limit: Int)
