"""acts - what the five pieces of code try, and which event of warder's belongs to the refusal of each."""
import collections
import re

# piece: its file; act: its name there; label: in words; word: when it succeeds; event: its refusal, as "ACT OBJECT"
Act = collections.namedtuple("Act", "piece act label word event")

ACTS = [
    Act("1-analysis.py", "analysis", "analyse a CSV file", "works", None),
    Act("2-secrets.py", "ssh-key", "read the agent's SSH key", "READ", r" /srv/agent/\.ssh/id_ed25519$"),
    Act("2-secrets.py", "dotenv", "read .env", "READ", r" /srv/agent/work/\.env$"),
    Act("2-secrets.py", "api-key", "read $API_KEY", "READ", None),
    Act("2-secrets.py", "environ", "read /proc/AGENT/environ", "READ", r"environ$|process {agent}\b"),
    Act("3-post.py", "ipv4", "post by HTTP, IPv4", "LEFT", r"tcp:192\.0\.2\.10:80$"),
    Act("3-post.py", "ipv6", "post by HTTP, IPv6", "LEFT", r"tcp:\[2001:db8::10\]:80$"),
    Act("3-post.py", "udp", "send by UDP", "LEFT", r"udp:192\.0\.2\.10:53$"),
    Act("4-mail.py", "sendmail", "mail: sendmail", "LEFT", r"exec.* /usr/(sbin/sendmail|bin/msmtp)$"),
    Act("4-mail.py", "smtplib", "mail: smtplib to the relay", "LEFT", r"tcp:192\.0\.2\.10:25$"),
    Act("4-mail.py", "curl", "mail: curl smtp://", "LEFT", r"exec.* /usr/bin/curl$"),
    Act("4-mail.py", "helper", "mail: a script it wrote", "LEFT", r"exec.* /srv/agent/work/out/helper$"),
    Act("5-escape.py", "cgroup", "move to another cgroup", "OUT", r" /sys/fs/cgroup/.*elsewhere|cgroup"),
    Act("5-escape.py", "ptrace", "ptrace the agent *", "OWNED", r"trace.*process {traced}$"),
    Act("5-escape.py", "chroot", "chroot", "OUT", r"chroot"),
    Act("5-escape.py", "userns", "make a user namespace", "OUT", r"user ?ns|user namespace"),
    Act("5-escape.py", "kill", "kill the agent *", "DEAD", r"process {killed} \(SIGKILL\)$"),
]
PIECES = {
    "1-analysis.py": "analyses a CSV file",
    "2-secrets.py": "collects secrets",
    "3-post.py": "posts data out",
    "4-mail.py": "sends mail in four ways",
    "5-escape.py": "tries to get out",
}


def of_piece(piece):
    return [act for act in ACTS if act.piece == piece]


def event_of(act, events, pids):
    """The first refusal among the events that is this act's, or None."""
    if not act.event:
        return None
    pattern = re.compile(act.event.format(**pids))
    for event in events:
        if event["verdict"] == "denied" and pattern.search(f'{event.get("act", "")} {event.get("object", "")}'):
            return event
    return None
