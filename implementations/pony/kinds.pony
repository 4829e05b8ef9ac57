// Message kinds, by receiver; numbers and arities are those of trace.proto.
// A kind carries its arity in the bits above its number.
type Kind is U32

primitive _Kind
  fun apply(number: U32, arguments: U32 = 0): Kind =>
    (arguments << 16) or number

  fun arity(kind: Kind): U32 => kind >> 16

primitive PokerTakes
  fun prepare(): Kind => _Kind(33)
  fun settled(): Kind => _Kind(34)
  fun act(): Kind => _Kind(35, 4)
  fun turn(): Kind => _Kind(36)
  fun run(): Kind => _Kind(37)
  fun confirm(): Kind => _Kind(38, 2)
  fun disconnect(): Kind => _Kind(39)
  fun finished(): Kind => _Kind(40, 8)

primitive DirectoryTakes
  fun login(): Kind => _Kind(49, 1)
  fun befriend(): Kind => _Kind(50)
  fun settle(): Kind => _Kind(51)
  fun settled(): Kind => _Kind(52)
  fun poke(): Kind => _Kind(53, 1)
  fun act(): Kind => _Kind(54, 5)
  fun disconnect(): Kind => _Kind(55)
  fun left(): Kind => _Kind(56, 8)

primitive ClientTakes
  fun befriend(): Kind => _Kind(65, 1)
  fun settle(): Kind => _Kind(66)
  fun act(): Kind => _Kind(67, 4)
  fun forward(): Kind => _Kind(68, 3)
  fun accepted(): Kind => _Kind(69, 2)
  fun left(): Kind => _Kind(70, 1)
  fun logout(): Kind => _Kind(71)

primitive ChatTakes
  fun post(): Kind => _Kind(81, 2)
  fun join(): Kind => _Kind(82, 2)
  fun leave(): Kind => _Kind(83, 1)

primitive AccumulatorTakes
  fun stop(): Kind => _Kind(97, 2)
  fun bump(): Kind => _Kind(98, 2)

primitive PingTakes
  fun start(): Kind => _Kind(161, 1)
  fun pong(): Kind => _Kind(162, 1)
  fun tick(): Kind => _Kind(163, 1)

primitive PongTakes
  fun ping(): Kind => _Kind(177, 1)

primitive CoordinatorTakes
  fun start(): Kind => _Kind(193)
  fun finished(): Kind => _Kind(194, 2)
  fun tick(): Kind => _Kind(195, 1)
  fun marked(): Kind => _Kind(196, 2)
  fun idle(): Kind => _Kind(197)

primitive PeerTakes
  fun go(): Kind => _Kind(209)
  fun ping(): Kind => _Kind(210, 1)
  fun pong(): Kind => _Kind(211, 1)
  fun mark(): Kind => _Kind(212, 1)
  fun stop(): Kind => _Kind(213)

primitive ReceiverTakes
  fun start(): Kind => _Kind(225)
  fun bang(): Kind => _Kind(226, 1)
  fun finished(): Kind => _Kind(227, 1)
  fun tick(): Kind => _Kind(228, 1)

primitive SenderTakes
  fun go(): Kind => _Kind(241)
  fun answer(): Kind => _Kind(242, 1)
  fun stop(): Kind => _Kind(243)

primitive DispatcherTakes
  fun start(): Kind => _Kind(257)
  fun request(): Kind => _Kind(258, 1)
  fun idle(): Kind => _Kind(259)
  fun finished(): Kind => _Kind(260, 2)

primitive WorkerTakes
  fun work(): Kind => _Kind(273, 2)
  fun stop(): Kind => _Kind(274)

primitive BrowserTakes
  fun go(): Kind => _Kind(289)
  fun answer(): Kind => _Kind(290, 2)

primitive TallyTakes
  fun start(): Kind => _Kind(305)
  fun counted(): Kind => _Kind(306, 2)

primitive AdderTakes
  fun go(): Kind => _Kind(321)
  fun total(): Kind => _Kind(322, 2)

primitive CounterTakes
  fun add(): Kind => _Kind(337, 1)
  fun get_and_reset(): Kind => _Kind(338)

primitive LinkTakes
  fun grow(): Kind => _Kind(353, 1)
  fun finish(): Kind => _Kind(354, 1)

primitive MasterTakes
  fun start(): Kind => _Kind(369)
  fun completed(): Kind => _Kind(370, 2)

primitive RunnerTakes
  fun task(): Kind => _Kind(385, 1)

primitive AlarmTakes
  fun start(): Kind => _Kind(401)
  fun awake(): Kind => _Kind(402, 1)

primitive SleeperTakes
  fun sleep(): Kind => _Kind(417, 1)
  fun wake(): Kind => _Kind(418, 1)

primitive SorterTakes
  fun sort(): Kind => _Kind(433, 3)
  fun sorted(): Kind => _Kind(434, 3)

primitive EmployerTakes
  fun start(): Kind => _Kind(449)
  fun request(): Kind => _Kind(450, 3)

primitive RouterTakes
  fun request(): Kind => _Kind(465, 2)
  fun task(): Kind => _Kind(466, 3)
  fun dismiss(): Kind => _Kind(467, 1)

primitive EmployeeTakes
  fun go(): Kind => _Kind(481)
  fun task(): Kind => _Kind(482, 2)
  fun dismiss(): Kind => _Kind(483)
