"""Part `client`: sends the steps of a plan one after another, and does not wait for ever.

Where it hears nothing it sends again, looks whether the step is done, or cleans up, which is a
write of its own: the file gets back what the step was planned against, whatever it holds by now.

Readings where the description leaves room: a client that looks takes content that the step leaves
for the step's effect; what is cleaned up counts as rejected, and waits for a new plan.
"""

from fencecheck.model import Each, Part, replace
from fencecheck.models.fence.identity import identity_of, keeps_aim, renew
from fencecheck.models.fence.state import Request, Stamp, is_current, is_out, state
from fencecheck.models.parts.stamps import is_stamped_at
from fencecheck.models.parts.workspace import ORIGINAL, STEP, file_of, put_back, result_of

client_part = Part("client")
client_part.include(state)
client = client_part.actor("client")


@client_part.rule
def clean_up_knows_what_to_put_back(k):
    if k.silence == "clean_up" and keeps_aim(k):
        return (
            "silence = clean_up puts back what the stamp holds: write precondition = planned or "
            "off, and identity = content"
        )
    return None


def send(s, step):
    """Stamp what is stamped now and put the request in flight."""
    if is_stamped_at(s, "dispatch"):
        pre = s.stamp_of[step].pre
        if s.precondition == "restamped":
            pre = identity_of(s, file_of(s, step))
        s.stamp_of[step] = replace(s.stamp_of[step], base=s.rev, pre=pre)
    send_again(s, step)


def send_again(s, step):
    stamp = s.stamp_of[step]
    s.requests.add(
        Request(
            step=step,
            id=s.id_of[step],
            current=True,
            base=stamp.base,
            pre=stamp.pre,
            against=stamp.against,
        )
    )


@client.action(
    step=STEP,
    when=lambda s, step: not s.refused and is_current(s, step) and s.view[step] == "todo",
)
def dispatch(s, step):
    """The client sends the first step not done."""
    send(s, step)
    s.view[step] = "sent"


def hears_nothing(s, step):
    return s.view[step] == "sent" and not is_out(s, step)


def finds_done(s, step):
    """The client looks, and the file holds what the step leaves."""
    return s.silence == "ask" and s.content[file_of(s, step)] == result_of(step)


@client.action(
    step=STEP,
    when=lambda s, step: (
        s.retry != "off"
        and s.silence != "clean_up"
        and hears_nothing(s, step)
        and not finds_done(s, step)
    ),
)
def retry(s, step):
    """The client hears nothing and sends once more."""
    if s.retry == "restamp":
        send(s, step)
    else:
        send_again(s, step)


@client.action(step=STEP, when=lambda s, step: hears_nothing(s, step) and finds_done(s, step))
def ask(s, step):
    """The client hears nothing, looks, and finds the step done."""
    s.view[step] = "done"
    forget_stamp(s, step)


@client.action(step=STEP, when=lambda s, step: s.silence == "clean_up" and hears_nothing(s, step))
def clean_up(s, step):
    """The client hears nothing and takes the step for failed: its file is put back."""
    put_back(s, step, s.stamp_of[step].pre)
    renew(s, file_of(s, step))
    s.view[step] = "rejected"
    forget_stamp(s, step)


@client.action(reply=Each("replies", "step"), quiet=True)
def receive(s, reply):
    """The client takes a reply; one of an older generation changes nothing."""
    s.replies.remove(reply)
    if reply.current and s.view[reply.step] == "sent":
        if reply.answer == "applied" or reply.answer == "replayed":
            s.view[reply.step] = "done"
        else:
            s.view[reply.step] = "rejected"
        forget_stamp(s, reply.step)
    return reply.answer


@client_part.forgets(step=STEP)
def forget_stamp(s, step):
    """Nothing can send a step again that is done or rejected; a new plan stamps it anew."""
    if s.view[step] == "done" or s.view[step] == "rejected":
        s.stamp_of[step] = Stamp(base=0, pre=ORIGINAL, against=ORIGINAL)
