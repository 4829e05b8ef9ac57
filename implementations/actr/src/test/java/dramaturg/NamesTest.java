package dramaturg;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dramaturg.v2.Trace.ActorClass;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void namesAreThoseOfTheSpecification() {
    assertEquals(288230376436924416L, Names.of(ActorClass.ACTOR_CLASS_CLIENT_VALUE, 17));
    assertEquals(360287970474852354L, Names.of(ActorClass.ACTOR_CLASS_CHAT_VALUE, 17, 2));
    assertEquals(1585548543794348032L, Names.of(ActorClass.ACTOR_CLASS_LINK_VALUE, 16777215));
  }

  @Test
  void namesAreSpelledAsPeopleReadThem() {
    assertEquals("chat/17.2", Names.spell(Names.of(ActorClass.ACTOR_CLASS_CHAT_VALUE, 17, 2)));
    assertEquals(
        "client/4294967295", Names.spell(Names.of(ActorClass.ACTOR_CLASS_CLIENT_VALUE, -1)));
    assertEquals("control/0", Names.spell(Names.CONTROL));
  }
}
