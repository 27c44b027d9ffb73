/*
 * fencecheck/export/1: written by fencecheck 0.1.0
 * model two_phase (9212ccd6f4be9702)
 * Two-phase commit: two_phase
 * bounds: managers=3
 * must come out: 288 states, 1,145 transitions
 * holds: consistent
 */
#define ASKED 3

typedef long long num;
extern long depth;
extern void (*uerror)(char *);

static void say(int number, const char *what, const char *name, long events)
{
  static unsigned char said[ASKED];
  if (said[number]) return;
  said[number] = 1;
#ifdef STOP
  if (what[0] == 'b') uerror((char *) name);
#endif
  printf("fencecheck says: %s: %s: %ld events\n", what, name, events);
}


#define LOOK look()
static int look(void)
{
  num n1 = (((1 == now.rm_0) || (1 == now.rm_1)) || (1 == now.rm_2));
  if ((n1 && (((0 == now.rm_0) || (0 == now.rm_1)) || (0 == now.rm_2)))) say(0, "broken", "consistent", depth);
  if (n1) say(1, "tested", "consistent", depth);
  return 0;
}

#define CAN_coordinator_hear_1 can_coordinator_hear_1()
static int can_coordinator_hear_1(void)
{
  return ((now.tm == 2) && !((now.ready_0 & 1) == 0));
}

static void do_coordinator_hear_1(void)
{
  num new_heard_0 = (now.heard_0 | 1);
  now.heard_0 = new_heard_0;
}

#define CAN_coordinator_hear_2 can_coordinator_hear_2()
static int can_coordinator_hear_2(void)
{
  return ((now.tm == 2) && !(0 == (now.ready_0 & 2)));
}

static void do_coordinator_hear_2(void)
{
  num new_heard_0 = (now.heard_0 | 2);
  now.heard_0 = new_heard_0;
}

#define CAN_coordinator_hear_3 can_coordinator_hear_3()
static int can_coordinator_hear_3(void)
{
  return ((now.tm == 2) && !(0 == (now.ready_0 & 4)));
}

static void do_coordinator_hear_3(void)
{
  num new_heard_0 = (now.heard_0 | 4);
  now.heard_0 = new_heard_0;
}

#define CAN_coordinator_commit_1 can_coordinator_commit_1()
static int can_coordinator_commit_1(void)
{
  return ((now.tm == 2) && ((((now.heard_0 & 1) + ((now.heard_0 >> 1) & 1)) + (now.heard_0 >> 2)) == 3));
}

static void do_coordinator_commit_1(void)
{
  num new_tm = 1;
  num new_commit_sent = 1;
  now.tm = new_tm;
  now.commit_sent = new_commit_sent;
}

#define CAN_coordinator_abort_1 can_coordinator_abort_1()
static int can_coordinator_abort_1(void)
{
  return (now.tm == 2);
}

static void do_coordinator_abort_1(void)
{
  num new_tm = 0;
  num new_abort_sent = 1;
  now.tm = new_tm;
  now.abort_sent = new_abort_sent;
}

#define CAN_manager_prepare_1 can_manager_prepare_1()
static int can_manager_prepare_1(void)
{
  return (3 == now.rm_0);
}

static void do_manager_prepare_1(void)
{
  num new_rm_0 = 2;
  num new_ready_0 = (now.ready_0 | 1);
  now.rm_0 = new_rm_0;
  now.ready_0 = new_ready_0;
}

#define CAN_manager_prepare_2 can_manager_prepare_2()
static int can_manager_prepare_2(void)
{
  return (3 == now.rm_1);
}

static void do_manager_prepare_2(void)
{
  num new_rm_1 = 2;
  num new_ready_0 = (now.ready_0 | 2);
  now.rm_1 = new_rm_1;
  now.ready_0 = new_ready_0;
}

#define CAN_manager_prepare_3 can_manager_prepare_3()
static int can_manager_prepare_3(void)
{
  return (3 == now.rm_2);
}

static void do_manager_prepare_3(void)
{
  num new_rm_2 = 2;
  num new_ready_0 = (now.ready_0 | 4);
  now.rm_2 = new_rm_2;
  now.ready_0 = new_ready_0;
}

#define CAN_manager_choose_to_abort_1 can_manager_choose_to_abort_1()
static int can_manager_choose_to_abort_1(void)
{
  return (3 == now.rm_0);
}

static void do_manager_choose_to_abort_1(void)
{
  num new_rm_0 = 0;
  now.rm_0 = new_rm_0;
}

#define CAN_manager_choose_to_abort_2 can_manager_choose_to_abort_2()
static int can_manager_choose_to_abort_2(void)
{
  return (3 == now.rm_1);
}

static void do_manager_choose_to_abort_2(void)
{
  num new_rm_1 = 0;
  now.rm_1 = new_rm_1;
}

#define CAN_manager_choose_to_abort_3 can_manager_choose_to_abort_3()
static int can_manager_choose_to_abort_3(void)
{
  return (3 == now.rm_2);
}

static void do_manager_choose_to_abort_3(void)
{
  num new_rm_2 = 0;
  now.rm_2 = new_rm_2;
}

#define CAN_manager_receive_commit_1 can_manager_receive_commit_1()
static int can_manager_receive_commit_1(void)
{
  return now.commit_sent;
}

static void do_manager_receive_commit_1(void)
{
  num new_rm_0 = 1;
  now.rm_0 = new_rm_0;
}

#define CAN_manager_receive_commit_2 can_manager_receive_commit_2()
static int can_manager_receive_commit_2(void)
{
  return now.commit_sent;
}

static void do_manager_receive_commit_2(void)
{
  num new_rm_1 = 1;
  now.rm_1 = new_rm_1;
}

#define CAN_manager_receive_commit_3 can_manager_receive_commit_3()
static int can_manager_receive_commit_3(void)
{
  return now.commit_sent;
}

static void do_manager_receive_commit_3(void)
{
  num new_rm_2 = 1;
  now.rm_2 = new_rm_2;
}

#define CAN_manager_receive_abort_1 can_manager_receive_abort_1()
static int can_manager_receive_abort_1(void)
{
  return now.abort_sent;
}

static void do_manager_receive_abort_1(void)
{
  num new_rm_0 = 0;
  now.rm_0 = new_rm_0;
}

#define CAN_manager_receive_abort_2 can_manager_receive_abort_2()
static int can_manager_receive_abort_2(void)
{
  return now.abort_sent;
}

static void do_manager_receive_abort_2(void)
{
  num new_rm_1 = 0;
  now.rm_1 = new_rm_1;
}

#define CAN_manager_receive_abort_3 can_manager_receive_abort_3()
static int can_manager_receive_abort_3(void)
{
  return now.abort_sent;
}

static void do_manager_receive_abort_3(void)
{
  num new_rm_2 = 0;
  now.rm_2 = new_rm_2;
}
