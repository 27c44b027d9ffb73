"""Part `client`: sends the steps of a plan one after another, and does not wait for ever.

Where it hears nothing it sends again, looks whether the step is done, or cleans up, which is a
write of its own: the file gets back what the step was planned against, whatever it holds by now.

Readings where the description leaves room: a client that looks takes content that the step leaves
for the step's effect; what is cleaned up counts as rejected, and waits for a new plan.
"""

from fencecheck.model import Each, Part
from fencecheck.models.fence.identity import identity_of, keeps_aim, renew
from fencecheck.models.fence.state import NO_STAMP, Request, is_current, is_out, state
from fencecheck.models.parts.stamps import is_stamped_at
from fencecheck.models.parts.workspace import Content, file_of, put_back

client_part = Part("client", includes=[state])
client = client_part.actor("client")


@client_part.rule
def clean_up_knows_what_to_put_back(k):
    if k.silence == "clean_up" and keeps_aim(k):
        return (
            "silence = clean_up puts back what the stamp holds: write precondition = planned or "
            "off, and identity = content"
        )


# -- sending ------------------------------------------------------------------------------------
def send(s, step, anew):
    """Stamp what is stamped as it is sent, where it is sent anew, and put it in flight."""
    if anew and is_stamped_at(s, "dispatch"):
        s.stamp_of[step].base = s.rev
        if s.precondition == "restamped":
            s.stamp_of[step].pre = identity_of(s, step)
    own, id = s.stamp_of[step], s.id_of[step]
    s.requests.add(Request(step=step, id=id, current=True,
                           base=own.base, pre=own.pre, against=own.against))  # fmt: skip


@client.action(
    when=lambda s, step: not s.refused and is_current(s, step) and s.view[step] == "todo"
)
def dispatch(s, step):
    """The client sends the first step not done."""
    send(s, step, anew=True)
    s.view[step] = "sent"


# -- hearing nothing ----------------------------------------------------------------------------
silence = client.first_of(when=lambda s, step: s.view[step] == "sent" and not is_out(s, step))


@silence.action(
    when=lambda s, step: (
        s.silence == "ask" and s.content[file_of(s, step)] == Content.result_of(step)
    )
)
def ask(s, step):
    """The client hears nothing, looks, and finds the step done."""
    s.view[step] = "done"
    forget_stamp(s, step)


@silence.action(when=lambda s, step: s.silence == "clean_up")
def clean_up(s, step):
    """The client hears nothing and takes the step for failed: its file is put back."""
    put_back(s, step, s.stamp_of[step].pre)
    renew(s, file_of(s, step))
    s.view[step] = "rejected"
    forget_stamp(s, step)


@silence.action(when=lambda s, step: s.retry != "off")
def retry(s, step):
    """The client hears nothing and sends once more."""
    send(s, step, anew=s.retry == "restamp")


# -- hearing ------------------------------------------------------------------------------------
@client.action(reply=Each("replies", "step"), quiet=True)
def receive(s, reply):
    """The client takes a reply; one of an older generation changes nothing."""
    s.replies.remove(reply)
    if reply.current and s.view[reply.step] == "sent":
        s.view[reply.step] = "done" if reply.answer in ("applied", "replayed") else "rejected"
        forget_stamp(s, reply.step)
    return reply.answer


@client_part.forgets()
def forget_stamp(s, step):
    """Nothing can send a step again that is done or rejected; a new plan stamps it anew."""
    if s.view[step] == "done" or s.view[step] == "rejected":
        s.stamp_of[step] = NO_STAMP
