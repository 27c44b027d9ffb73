"""Part `client`: sends the steps of a plan one after another, and again where it hears nothing."""

from fencecheck.model import Each, Part, replace
from fencecheck.models.fence.state import Request, Stamp, is_current, is_out, state
from fencecheck.models.parts.stamps import is_stamped_at
from fencecheck.models.parts.workspace import ORIGINAL, STEP, file_of

client_part = Part("client")
client_part.include(state)
client = client_part.actor("client")


def send(s, step):
    """Stamp what is stamped now and put the request in flight."""
    if is_stamped_at(s, "dispatch"):
        pre = s.stamp_of[step].pre
        if s.precondition == "restamped":
            pre = s.content[file_of(s, step)]
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


@client.action(
    step=STEP,
    when=lambda s, step: s.retry != "off" and s.view[step] == "sent" and not is_out(s, step),
)
def retry(s, step):
    """The client hears nothing and sends once more."""
    if s.retry == "restamp":
        send(s, step)
    else:
        send_again(s, step)


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
