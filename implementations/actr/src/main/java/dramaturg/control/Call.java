package dramaturg.control;

import dramaturg.v2.ControlOuterClass.ActRequest;

/** What control may have to say to a lead actor (ACT-7). */
public sealed interface Call {
  record Prepare() implements Call {}

  record Act(ActRequest request) implements Call {}

  record Turn() implements Call {}

  record Run(int salt) implements Call {}

  record Disconnect() implements Call {}
}
