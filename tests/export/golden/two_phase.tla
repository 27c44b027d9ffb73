------------------------------------------- MODULE Model -------------------------------------------
(*
   fencecheck/export/1: written by fencecheck 0.1.0
   model two_phase (9212ccd6f4be9702)
   Two-phase commit: two_phase
   bounds: managers=3
   must come out: 288 distinct states
   holds: consistent
   Indices count from 0, as in the model; where people read s1 there is 0 here.
*)

EXTENDS Integers, Sequences, FiniteSets

VARIABLES
  rm,           \* of manager
  tm,           \* of coordinator
  heard,        \* managers known to be prepared
  ready,        \* Prepared messages sent
  commit_sent,  \* of two_phase
  abort_sent    \* of two_phase

vars == <<rm, tm, heard, ready, commit_sent, abort_sent>>

\* The state as a record, and a step that makes it another one.
S ==
  [rm |-> rm, tm |-> tm, heard |-> heard, ready |-> ready,
   commit_sent |-> commit_sent, abort_sent |-> abort_sent]
Become(t) ==
  /\ rm' = t.rm
  /\ tm' = t.tm
  /\ heard' = t.heard
  /\ ready' = t.ready
  /\ commit_sent' = t.commit_sent
  /\ abort_sent' = t.abort_sent

----------------------------------------------------------------------------------------------------
\* Operators that the standard modules lack

Range(f) == {f[x] : x \in DOMAIN f}

----------------------------------------------------------------------------------------------------
\* At first

Init ==
  /\ rm = [i \in 0..2 |-> "working"]
  /\ tm = "init"
  /\ heard = {}
  /\ ready = {}
  /\ commit_sent = FALSE
  /\ abort_sent = FALSE

----------------------------------------------------------------------------------------------------
\* What coordinator does

\* The coordinator takes note that a manager is prepared.
CoordinatorHear(rm_) ==
  /\ tm = "init"
  /\ rm_ \in ready
  /\ Become([S EXCEPT !.heard = @ \union {rm_}])

\* The coordinator commits once all are prepared.
CoordinatorCommit ==
  /\ tm = "init"
  /\ Cardinality(heard) = 3
  /\ Become([S EXCEPT !.tm = "committed", !.commit_sent = TRUE])

\* The coordinator aborts.
CoordinatorAbort ==
  /\ tm = "init"
  /\ Become([S EXCEPT !.tm = "aborted", !.abort_sent = TRUE])

----------------------------------------------------------------------------------------------------
\* What manager does

\* A manager prepares and says so.
ManagerPrepare(rm_) ==
  /\ rm[rm_] = "working"
  /\ Become([S EXCEPT !.rm[rm_] = "prepared", !.ready = @ \union {rm_}])

\* A manager aborts by itself.
ManagerChooseToAbort(rm_) ==
  /\ rm[rm_] = "working"
  /\ Become([S EXCEPT !.rm[rm_] = "aborted"])

\* A manager is told to commit.
ManagerReceiveCommit(rm_) ==
  /\ commit_sent
  /\ Become([S EXCEPT !.rm[rm_] = "committed"])

\* A manager is told to abort.
ManagerReceiveAbort(rm_) ==
  /\ abort_sent
  /\ Become([S EXCEPT !.rm[rm_] = "aborted"])

----------------------------------------------------------------------------------------------------
\* What can happen, and what does in the end

System ==
  \/ \E rm_ \in 0..2 : CoordinatorHear(rm_)
  \/ CoordinatorCommit
  \/ CoordinatorAbort
  \/ \E rm_ \in 0..2 : ManagerPrepare(rm_)
  \/ \E rm_ \in 0..2 : ManagerChooseToAbort(rm_)
  \/ \E rm_ \in 0..2 : ManagerReceiveCommit(rm_)
  \/ \E rm_ \in 0..2 : ManagerReceiveAbort(rm_)

Interference == FALSE

Next == System \/ Interference

Spec == Init /\ [][Next]_vars

\* Fairness is owed to each event of the system, class by class.
Fair ==
  /\ \A rm_ \in 0..2 : WF_vars(CoordinatorHear(rm_))
  /\ WF_vars(CoordinatorCommit)
  /\ WF_vars(CoordinatorAbort)
  /\ \A rm_ \in 0..2 : WF_vars(ManagerPrepare(rm_))
  /\ \A rm_ \in 0..2 : WF_vars(ManagerChooseToAbort(rm_))
  /\ \A rm_ \in 0..2 : WF_vars(ManagerReceiveCommit(rm_))
  /\ \A rm_ \in 0..2 : WF_vars(ManagerReceiveAbort(rm_))
FairSpec == Spec /\ Fair

----------------------------------------------------------------------------------------------------
\* What must hold

\* Every value is one of its domain, and nothing holds more than fits.
TypeOK ==
  /\ \A i \in 0..2 : rm[i] \in {"working", "prepared", "committed", "aborted"}
  /\ tm \in {"init", "committed", "aborted"}
  /\ \A i \in heard : i \in 0..2
  /\ \A i \in ready : i \in 0..2
  /\ commit_sent \in BOOLEAN
  /\ abort_sent \in BOOLEAN

\* No manager has committed while another has aborted.
Consistent == "committed" \notin Range(rm) \/ "aborted" \notin Range(rm)

====================================================================================================
