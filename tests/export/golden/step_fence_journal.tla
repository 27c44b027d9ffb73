------------------------------------------- MODULE Model -------------------------------------------
(*
   fencecheck/export/1: written by fencecheck 0.1.0
   model fence (efd52c3622c1c3ac)
   Four designs, and the one that was printed: step fence + journal
   design: journal=atomic, journal_key=step, compensation=none, edits_bump_rev=on, fence=step,
   stamp=dispatch, precondition=planned, replan=on_reject, check=atomic, identity=content,
   retention=keep, ids=stable, retry=same, silence=retry, admission=off, overlap=off
   bounds: steps=2, files=1, kept_keys=6, edits=1, test_failures=0, duplicates=1, swaps=0, drifts=0,
   touches=0, in_flight=4, truncations=0, preemptions=1, lost_replies=1
   must come out: 1,902 distinct states
   fencecheck takes states as one that differ only in numbers that are merely compared, or in names
   that nothing tells apart; here each counts
   holds: fresh_apply, no_future_base, journal_append_only, journal_covers, no_lost_update,
   at_most_once, truthful_reply, no_spurious_rejection, truthful_ack, no_stuck, can_finish, finishes
   Indices count from 0, as in the model; where people read s1 there is 0 here.
   Left out, since they can never happen here: human.edit_unseen, human.touch, client.ask,
   client.clean_up, executor.check, router.swap_model, router.swap_model_drifted,
   maintenance.truncate_journal, tests.fail.
   Variables that nothing changes here, and that are no variables: test_failures, swaps, drifts,
   checkpoint, first_bases, touches, changes, first_changes, identities, truncations, plans_made,
   id_of, refused.
   Not said: can_finish: TLA+ cannot say that something can always still be reached.
*)

EXTENDS Integers, Sequences, FiniteSets, Bags, TLC

CONSTANT None  \* no value; a model value of its own

VARIABLES
  edits,         \* budget: edits by a human
  duplicates,    \* budget: requests that the network delivers twice
  rev,           \* the revision of the whole workspace
  content,       \* what each file holds
  edits_made,    \* contents that nobody had seen before
  keys,          \* keys of work done
  effect_in,     \* ghost: whether the step was applied and has not been compensated
  preemptions,   \* budget: times the executor is preempted
  lost_replies,  \* budget: replies that the network loses
  view,          \* what the client believes of each step
  stamp_of,      \* the stamps a step has by now
  requests,      \* requests in flight
  replies,       \* replies in flight
  phase,         \* how far it is, and what it will answer
  work           \* the request the executor works on

vars ==
  <<edits, duplicates, rev, content, edits_made, keys, effect_in, preemptions, lost_replies, view,
    stamp_of, requests, replies, phase, work>>

\* The state as a record, and a step that makes it another one.
S ==
  [edits |-> edits, duplicates |-> duplicates, rev |-> rev, content |-> content,
   edits_made |-> edits_made, keys |-> keys, effect_in |-> effect_in,
   preemptions |-> preemptions, lost_replies |-> lost_replies, view |-> view,
   stamp_of |-> stamp_of, requests |-> requests, replies |-> replies,
   phase |-> phase, work |-> work]
Become(t) ==
  /\ edits' = t.edits
  /\ duplicates' = t.duplicates
  /\ rev' = t.rev
  /\ content' = t.content
  /\ edits_made' = t.edits_made
  /\ keys' = t.keys
  /\ effect_in' = t.effect_in
  /\ preemptions' = t.preemptions
  /\ lost_replies' = t.lost_replies
  /\ view' = t.view
  /\ stamp_of' = t.stamp_of
  /\ requests' = t.requests
  /\ replies' = t.replies
  /\ phase' = t.phase
  /\ work' = t.work

----------------------------------------------------------------------------------------------------
\* Values

ContentHumanEdit(held) == [tag |-> "human_edit", human_edit |-> held]
Original == [tag |-> "original"]
ResultOf(held) == [tag |-> "result_of", result_of |-> held]
Answering(held) == [tag |-> "answering", answering |-> held]
Checked == [tag |-> "checked"]
Idle == [tag |-> "idle"]
Written == [tag |-> "written"]
NoStamp == [base |-> None, pre |-> Original]
NoWork == [step |-> 0, current |-> FALSE, base |-> None, pre |-> Original]

----------------------------------------------------------------------------------------------------
\* Operators that the standard modules lack

Range(f) == {f[x] : x \in DOMAIN f}

\* What of a bag is as P says.
Those(P(_), B) == [e \in {x \in DOMAIN B : P(x)} |-> B[e]]

----------------------------------------------------------------------------------------------------
\* Functions of the model

\* Content that nobody has seen; called in the event of the edit.
EditFile(s, file) ==
  LET s1 == [s EXCEPT !.edits_made = @ + 1]
  IN  [s1 EXCEPT !.content[file] = ContentHumanEdit(s1.edits_made), !.rev = @ + 1]

\* The first step not done.
IsCurrent(s, step) == s.view[step] # "done" /\ (\A j \in 0..step - 1 : s.view[j] = "done")

\* Plan every step not done, from the workspace as it is now or as it was at first.
Plan(s) ==
  LET s1 == IF s.view[0] # "done"
            THEN [s EXCEPT
                    !.stamp_of[0] = [base |-> None, pre |-> s.content[0]],
                    !.view[0] = "todo"]
            ELSE s
  IN  IF s1.view[1] # "done"
      THEN LET r == IF s1.view[0] # "done" THEN [before |-> ResultOf(0), writes |-> 1]
                    ELSE [before |-> s1.content[0], writes |-> 0]
               pre == IF r.writes > 0 THEN r.before ELSE s1.content[0]
           IN  [s1 EXCEPT !.stamp_of[1] = [base |-> None, pre |-> pre], !.view[1] = "todo"]
      ELSE s1

\* What is in flight of the steps planned anew is of an older generation from now on.
PlanAnew(s) ==
  LET s1 == [s EXCEPT
               !.requests = BagOfAll(LAMBDA m :
                                       [m EXCEPT !.current = m.current /\ s.view[m.step] = "done"],
                                     s.requests),
               !.replies = BagOfAll(LAMBDA r :
                                      [r EXCEPT !.current = r.current /\ s.view[r.step] = "done"],
                                    s.replies),
               !.work.current = (s.phase = Idle \/ s.view[s.work.step] = "done") /\ @]
  IN  Plan(s1)

\* Stamp what is stamped as it is sent, where it is sent anew, and put it in flight.
Send(s, step) ==
  LET s1 == [s EXCEPT !.stamp_of[step].base = s.rev]
      own == s1.stamp_of[step]
  IN  [s1 EXCEPT
         !.requests = @ (+) SetToBag({[step |-> step,
                                       current |-> TRUE,
                                       base |-> own.base,
                                       pre |-> own.pre]})]

RequestTravels(s, step) ==
  (\E m \in BagToSet(s.requests) : m.step = step) \/ (s.phase # Idle /\ s.work.step = step)

\* A request or reply of the step, of any generation, is in flight or in the executor.
IsOut(s, step) == RequestTravels(s, step) \/ (\E r \in BagToSet(s.replies) : r.step = step)

\* Stamp what is stamped as it is sent, where it is sent anew, and put it in flight.
SendNotAnew(s, step) ==
  LET own == s.stamp_of[step]
  IN  [s EXCEPT
         !.requests = @ (+) SetToBag({[step |-> step,
                                       current |-> TRUE,
                                       base |-> own.base,
                                       pre |-> own.pre]})]

Take(s, request, phase_) ==
  [s EXCEPT !.work = request, !.requests = @ (-) SetToBag({request}), !.phase = phase_]

IsMisfit(s, request) == request.base # s.rev \/ request.pre # s.content[0]

\* The patch replaces the file, and the revision moves on.
Write(s, step) == [s EXCEPT !.content[0] = ResultOf(step), !.rev = @ + 1, !.effect_in[step] = TRUE]

\* The write itself; a journal that is atomic or in memory records it in the same event.
WriteWork(s) ==
  LET s1 == Write(s, s.work.step)
  IN  [s1 EXCEPT !.keys = @ \union {[step |-> s1.work.step]}, !.phase = Answering("applied")]

\* By a step not done or work under way; a compensation's step only by a request in flight.
StillNeeded(after, key) == after.view[key.step] # "done" \/ RequestTravels(after, key.step)

\* The event that is asked about is the client's, and puts the file of this step back.
IsCleanedUp(before, after, step) == before.view[step] = "sent" /\ after.view[step] = "rejected"

\* A write replaces what its message was planned against, or the step's own result.
ReplacesOnly(before, step, against) ==
  LET replaced == before.content[0]
  IN  replaced = against \/ replaced = ResultOf(step)

\* The request taken is of the current generation, and the step's effect is in.
ComesAgain(before, after) == after.work.current /\ before.effect_in[after.work.step]

\* The effect is not in, and the file holds exactly what was planned against.
IsUntouched(before, step, against) == ~before.effect_in[step] /\ before.content[0] = against

\* The request taken is of a step not applied, and its file has what it expects.
Fits(before, after) == IsUntouched(before, after.work.step, after.work.pre)

----------------------------------------------------------------------------------------------------
\* At first

Init ==
  /\ edits = 1
  /\ duplicates = 1
  /\ rev = 0
  /\ content = [i \in 0..0 |-> Original]
  /\ edits_made = 0
  /\ keys = {}
  /\ effect_in = [i \in 0..1 |-> FALSE]
  /\ preemptions = 1
  /\ lost_replies = 1
  /\ view = [i \in 0..1 |-> "todo"]
  /\ stamp_of = 0 :> [base |-> None, pre |-> Original] @@ 1 :> [base |-> None, pre |-> ResultOf(0)]
  /\ requests = EmptyBag
  /\ replies = EmptyBag
  /\ phase = Idle
  /\ work = [step |-> 0, current |-> FALSE, base |-> None, pre |-> Original]

----------------------------------------------------------------------------------------------------
\* What human does

\* A human leaves content that nobody has seen.
HumanEdit ==
  /\ edits > 0
  /\ Become(EditFile([S EXCEPT !.edits = @ - 1], 0))

----------------------------------------------------------------------------------------------------
\* What planner does

\* The planner plans again from the workspace as it is now.
PlannerReplan ==
  /\ \E i \in 0..1 : IsCurrent(S, i) /\ view[i] = "rejected"
  /\ Become(PlanAnew(S))

----------------------------------------------------------------------------------------------------
\* What client does

\* The client sends the first step not done.
ClientDispatch(step) ==
  /\ IsCurrent(S, step)
  /\ view[step] = "todo"
  /\ LET s1 == Send(S, step)
     IN  Become([s1 EXCEPT !.view[step] = "sent"])

\* The client hears nothing and sends once more.
ClientRetry(step) ==
  /\ view[step] = "sent"
  /\ ~IsOut(S, step)
  /\ Become(SendNotAnew(S, step))

\* The client takes a reply; one of an older generation changes nothing.
ClientReceive(reply) ==
  LET s1 == [S EXCEPT !.replies = @ (-) SetToBag({reply})]
      s2 == IF reply.current /\ view[reply.step] = "sent"
            THEN LET s2 == [s1 EXCEPT
                              !.view[reply.step] = IF reply.answer \in {"applied", "replayed"}
                                                   THEN "done"
                                                   ELSE "rejected"]
                 IN  [s2 EXCEPT
                        !.stamp_of[reply.step] = IF \/ s2.view[reply.step] = "done"
                                                    \/ s2.view[reply.step] = "rejected"
                                                 THEN NoStamp
                                                 ELSE @]
            ELSE s1
  IN  Become(s2)

----------------------------------------------------------------------------------------------------
\* What executor does

\* The executor finds the key in the journal and prepares the stored result.
ExecutorReplay(request) ==
  /\ phase = Idle
  /\ [step |-> request.step] \in keys
  /\ Become(Take(S, request, Answering("replayed")))

\* The executor refuses a request whose revision or hash does not match.
ExecutorReject(request) ==
  /\ phase = Idle
  /\ [step |-> request.step] \notin keys
  /\ IsMisfit(S, request)
  /\ LET why == IF request.base # rev THEN "stale_rev" ELSE "pre_hash"
     IN  Become(Take(S, request, Answering(why)))

\* The executor checks and writes in one event.
ExecutorApply(request) ==
  /\ phase = Idle
  /\ [step |-> request.step] \notin keys
  /\ ~IsMisfit(S, request)
  /\ Become(WriteWork(Take(S, request, Checked)))

\* The executor writes what it checked before.
ExecutorWrite(step) ==
  /\ work.step = step
  /\ phase = Checked
  /\ Become(WriteWork(S))

\* The executor records what it wrote before.
ExecutorJournal(step) ==
  /\ work.step = step
  /\ phase = Written
  /\ Become([S EXCEPT !.keys = @ \union {[step |-> work.step]}, !.phase = Answering("applied")])

\* The executor answers and is idle again.
ExecutorReply(step) ==
  /\ phase # Idle
  /\ work.step = step
  /\ phase # Checked
  /\ phase # Written
  /\ Become([S EXCEPT
               !.replies = @ (+) SetToBag({[step |-> step,
                                            current |-> work.current,
                                            answer |-> phase.answering]}),
               !.phase = Idle,
               !.work = NoWork])

----------------------------------------------------------------------------------------------------
\* What substrate does

\* The executor vanishes with its work in progress and its memory.
SubstratePreempt ==
  /\ preemptions > 0
  /\ phase # Idle
  /\ Become([S EXCEPT !.preemptions = @ - 1, !.phase = Idle, !.work = NoWork])

----------------------------------------------------------------------------------------------------
\* What network does

\* A reply vanishes.
NetworkLoseReply(reply) ==
  /\ lost_replies > 0
  /\ Become([S EXCEPT !.lost_replies = @ - 1, !.replies = @ (-) SetToBag({reply})])

\* A second copy of a request is in flight; a third can as well be made once one is taken.
NetworkDuplicate(request) ==
  /\ duplicates > 0
  /\ BagCardinality(Those(LAMBDA m : m = request, requests)) = 1
  /\ Become([S EXCEPT !.duplicates = @ - 1, !.requests = @ (+) SetToBag({request})])

----------------------------------------------------------------------------------------------------
\* What can happen, and what does in the end

System ==
  \/ PlannerReplan
  \/ \E step \in 0..1 : ClientDispatch(step)
  \/ \E step \in 0..1 : ClientRetry(step)
  \/ \E reply \in BagToSet(replies) : ClientReceive(reply)
  \/ \E request \in BagToSet(requests) : ExecutorReplay(request)
  \/ \E request \in BagToSet(requests) : ExecutorReject(request)
  \/ \E request \in BagToSet(requests) : ExecutorApply(request)
  \/ \E step \in 0..1 : ExecutorWrite(step)
  \/ \E step \in 0..1 : ExecutorJournal(step)
  \/ \E step \in 0..1 : ExecutorReply(step)

Interference ==
  \/ HumanEdit
  \/ SubstratePreempt
  \/ \E reply \in BagToSet(replies) : NetworkLoseReply(reply)
  \/ \E request \in BagToSet(requests) : NetworkDuplicate(request)

\* An event that would put in more than a bound has room for is held back: it does not happen,
\* though the system has not come to its end.
Room ==
  /\ Cardinality(keys) <= 6
  /\ BagCardinality(requests) <= 4
  /\ BagCardinality(replies) <= 4

Next == (System \/ Interference) /\ Room'

Spec == Init /\ [][Next]_vars

\* Fairness is owed to each event of the system, class by class.
Fair ==
  /\ WF_vars(PlannerReplan /\ Room')
  /\ \A step \in 0..1 : WF_vars(ClientDispatch(step) /\ Room')
  /\ \A step \in 0..1 : WF_vars(ClientRetry(step) /\ Room')
  /\ \A step \in 0..1 :
       WF_vars(/\ \E reply \in {reply \in BagToSet(replies) : reply.step = step} :
                    ClientReceive(reply)
               /\ Room')
  /\ \A step \in 0..1 :
       WF_vars(/\ \E request \in {request \in BagToSet(requests) : request.step = step} :
                    ExecutorReplay(request)
               /\ Room')
  /\ \A step \in 0..1 :
       WF_vars(/\ \E request \in {request \in BagToSet(requests) : request.step = step} :
                    ExecutorReject(request)
               /\ Room')
  /\ \A step \in 0..1 :
       WF_vars(/\ \E request \in {request \in BagToSet(requests) : request.step = step} :
                    ExecutorApply(request)
               /\ Room')
  /\ \A step \in 0..1 : WF_vars(ExecutorWrite(step) /\ Room')
  /\ \A step \in 0..1 : WF_vars(ExecutorJournal(step) /\ Room')
  /\ \A step \in 0..1 : WF_vars(ExecutorReply(step) /\ Room')
FairSpec == Spec /\ Fair

----------------------------------------------------------------------------------------------------
\* What must hold

\* Every value is one of its domain, and nothing holds more than fits.
TypeOK ==
  /\ edits \in 0..1
  /\ duplicates \in 0..1
  /\ rev \in Nat
  /\ \A i \in 0..0 :
       \/ content[i].tag = "human_edit" /\ content[i].human_edit \in Nat
       \/ content[i] = Original
       \/ content[i].tag = "result_of" /\ content[i].result_of \in 0..1
  /\ edits_made \in Nat
  /\ \A i \in keys : i.step \in 0..1
  /\ Cardinality(keys) <= 6
  /\ \A i \in 0..1 : effect_in[i] \in BOOLEAN
  /\ preemptions \in 0..1
  /\ lost_replies \in 0..1
  /\ \A i \in 0..1 : view[i] \in {"todo", "sent", "done", "rejected"}
  /\ \A i \in 0..1 :
       /\ stamp_of[i].base \in Nat \union {None}
       /\ \/ stamp_of[i].pre.tag = "human_edit" /\ stamp_of[i].pre.human_edit \in Nat
          \/ stamp_of[i].pre = Original
          \/ stamp_of[i].pre.tag = "result_of" /\ stamp_of[i].pre.result_of \in 0..1
  /\ \A i \in BagToSet(requests) :
       /\ i.step \in 0..1
       /\ i.current \in BOOLEAN
       /\ i.base \in Nat \union {None}
       /\ \/ i.pre.tag = "human_edit" /\ i.pre.human_edit \in Nat
          \/ i.pre = Original
          \/ i.pre.tag = "result_of" /\ i.pre.result_of \in 0..1
  /\ BagCardinality(requests) <= 4
  /\ \A i \in BagToSet(replies) :
       /\ i.step \in 0..1
       /\ i.current \in BOOLEAN
       /\ i.answer \in {"applied", "replayed", "stale_rev", "pre_hash"}
  /\ BagCardinality(replies) <= 4
  /\ \/ /\ phase.tag = "answering"
        /\ phase.answering \in {"applied", "replayed", "stale_rev", "pre_hash"}
     \/ phase = Checked
     \/ phase = Idle
     \/ phase = Written
  /\ work.step \in 0..1
  /\ work.current \in BOOLEAN
  /\ work.base \in Nat \union {None}
  /\ \/ work.pre.tag = "human_edit" /\ work.pre.human_edit \in Nat
     \/ work.pre = Original
     \/ work.pre.tag = "result_of" /\ work.pre.result_of \in 0..1

\* The base_rev a step is stamped with equals the revision at its write (P1).
FreshApply ==
  [][(\/ \E request \in BagToSet(requests) : ExecutorApply(request)
      \/ \E step \in 0..1 : ExecutorWrite(step)) => work'.base = rev]_vars

\* The base_rev a step is stamped with is not above the revision at its write (P3).
NoFutureBase ==
  [][(\/ \E request \in BagToSet(requests) : ExecutorApply(request)
      \/ \E step \in 0..1 : ExecutorWrite(step)) => work'.base <= rev]_vars

\* No recorded key disappears (P2).
JournalAppendOnly == [][keys \subseteq keys']_vars

\* No key disappears that a step not done or a request under way could still need.
JournalCovers == [][\A k \in keys : k \in keys' \/ ~StillNeeded(S', k)]_vars

\* A write replaces only what its message was planned against, or the step's own result.
NoLostUpdate ==
  [][(\/ \E request \in BagToSet(requests) : ExecutorApply(request)
      \/ \E step \in 0..1 : ExecutorWrite(step))
       => (\/ rev' = rev
           \/ IF IsCleanedUp(S, S', 0) THEN ReplacesOnly(S, 0, stamp_of[0].pre)
              ELSE IF IsCleanedUp(S, S', 1) THEN ReplacesOnly(S, 1, stamp_of[1].pre)
              ELSE ReplacesOnly(S, work'.step, work'.pre))]_vars

\* A step is written only while its effect is not in.
AtMostOnce ==
  [][(\/ \E request \in BagToSet(requests) : ExecutorApply(request)
      \/ \E step \in 0..1 : ExecutorWrite(step)) => ~effect_in[work'.step]]_vars

\* A request of the current generation is not rejected while the step's effect is in.
TruthfulReply ==
  [][(\E request \in BagToSet(requests) : ExecutorReject(request)) => ~ComesAgain(S, S')]_vars

\* A step not applied is not rejected while its file holds what it was planned against.
NoSpuriousRejection ==
  [][(\E request \in BagToSet(requests) : ExecutorReject(request)) => ~Fits(S, S')]_vars

\* A step that the client holds done has its effect in.
TruthfulAck == \A step \in 0..1 : view[step] # "done" \/ effect_in[step]

\* Wherever the system can do nothing more, every step is done or refused at admission.
NoStuck == ENABLED System \/ (\A v \in Range(view) : v = "done")

\* Every weakly fair behaviour gets every step done or refused.
Finishes == <>(\A v \in Range(view) : v = "done")

====================================================================================================
