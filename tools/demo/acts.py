"""acts - what the five pieces of code try, and which event of warder's belongs to the refusal of each."""
import collections
import re

# piece: its file; name: as the code says it; label: in words; word: when it happens; event: its refusal, as "ACT OBJECT"
Act = collections.namedtuple("Act", "piece name label word event")

PIECES = {
    "1-analysis.py": "analyses a CSV file",
    "2-secrets.py": "collects secrets",
    "3-post.py": "posts data out",
    "4-mail.py": "mails data out",
    "5-escape.py": "tries to get out",
}
MAIL = "4-mail.py"

ACTS = [
    Act("1-analysis.py", "analysis", "its result", "works", None),
    Act("2-secrets.py", "ssh-key", "SSH key", "READ", r" /srv/agent/\.ssh/id_ed25519$"),
    Act("2-secrets.py", "dotenv", ".env", "READ", r" /srv/agent/work/\.env$"),
    Act("2-secrets.py", "api-key", "$API_KEY", "READ", None),
    Act("2-secrets.py", "environ", "/proc/AGENT/environ", "READ", r" /proc/{agent}/environ$"),
    Act("3-post.py", "ipv4", "HTTP over IPv4", "LEFT", r" tcp:192\.0\.2\.10:80$"),
    Act("3-post.py", "ipv6", "HTTP over IPv6", "LEFT", r" tcp:\[2001:db8::10\]:80$"),
    Act("3-post.py", "udp", "UDP", "LEFT", r" udp:192\.0\.2\.10:53$"),
    Act(MAIL, "sendmail", "sendmail", "LEFT", r"exec /usr/bin/msmtp$"),
    Act(MAIL, "smtplib", "smtplib to a relay", "LEFT", r" tcp:192\.0\.2\.10:25$"),
    Act(MAIL, "curl", "curl smtp://", "LEFT", r"exec /usr/bin/curl$"),
    Act(MAIL, "helper", "script it wrote", "LEFT", r"exec /srv/agent/work/out/helper$"),
    Act("5-escape.py", "cgroup", "other cgroup", "DONE", r" /\S+/elsewhere/cgroup\.procs$"),
    Act("5-escape.py", "ptrace", "ptrace the agent*", "DONE", r"^inspect process {traced}$"),
    Act("5-escape.py", "chroot", "chroot", "DONE", r"chroot"),
    Act("5-escape.py", "userns", "user namespace", "DONE", r"user.namespace"),
    Act("5-escape.py", "kill", "kill the agent*", "DONE", r"^signal process {killed} \(SIGKILL\)$"),
]


def of_piece(piece):
    return [act for act in ACTS if act.piece == piece]


def event_of(act, verdict, events, pids):
    """The first of the events that is about this act; None."""
    pattern = act.event and re.compile(act.event.format(**pids))
    for event in events:
        said = f'{event["act"]} {event.get("object", "")}'
        if pattern and event["verdict"] == verdict and pattern.search(said):
            return event
    return None
