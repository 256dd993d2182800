"""A complete back end for vue-llm in Python, with nothing but the standard library.

    python3 server.py --port 8000 --allow-origin http://localhost:5173

The page asks it with `createSSEProvider({ url: 'http://localhost:8000/api/chat' })`. It reads the
transcript that the chat posts, lets a model answer, runs the tools that belong here and writes
what happens as chunks, one JSON object per server-sent event. Tools of the page (one that runs
there, one that a person answers) are offered to the model and left to the page. The wire is
described in docs/protocol.md. `model` stands in for a real one: it is the function to replace.
"""

import argparse
import json
import logging
import re
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 4 * 1024 * 1024
MAX_TOOL_ROUNDS = 4
HEARTBEAT_SECONDS = 15

log = logging.getLogger("chat")


# --- Tools -----------------------------------------------------------------------------------

STOCK = {"lamp": 7, "chair": 0}


class ToolError(Exception):
    """Its text is shown to the client as it is; the text of any other exception is not."""


def stock_level(args):
    """A tool that must run here: the page never sees the database."""
    item = args.get("item")
    if item not in STOCK:
        raise ToolError(f"no such item: {item}")
    return {"item": item, "inStock": STOCK[item]}


SERVER_TOOLS = {"stock_level": stock_level}

# Offered to the model, run by the page (local_time) or answered by a person (confirm_order).
CLIENT_TOOLS = {"local_time", "confirm_order"}


# --- The model -------------------------------------------------------------------------------

def model(turns, delay):
    """Stands in for a model: yields pieces of text, and calls as (name, args).

    `turns` has the form of Chat Completions, so a real model's client fits in here.
    """
    question = next(turn["content"] for turn in reversed(turns) if turn["role"] == "user").lower()
    results = {}
    for turn in reversed(turns):
        if turn["role"] == "user":
            break
        if turn["role"] == "tool":
            results.setdefault(turn["name"], turn["content"])
    item = next((name for name in STOCK if name in question), "unicorn")
    if "fail" in question:
        yield "Let me see… "
        raise RuntimeError("cannot connect to db.internal with password hunter2")
    if ("stock" in question or "order" in question) and "stock_level" not in results:
        yield ("stock_level", {"item": item})
        if "time" not in question:
            return
    if "time" in question and "local_time" not in results:
        yield ("local_time", {})
        return
    if "order" in question and "confirm_order" not in results:
        yield "I need your word. "
        yield ("confirm_order", {"item": item, "count": 1})
        return
    said = "; ".join(f"{name}: {output}" for name, output in sorted(results.items()))
    for word in re.findall(r"\S+\s*", f"You asked: {question} I know: {said or 'nothing'}."):
        time.sleep(delay)
        yield word


def to_turns(messages):
    """The transcript as a model reads it. A message of the assistant holds several rounds."""
    turns = []
    for message in messages:
        for step in sorted({part.get("step", 0) for part in message["parts"]}):
            parts = [part for part in message["parts"] if part.get("step", 0) == step]
            text = "".join(part["text"] for part in parts if part["type"] == "text")
            calls = [part for part in parts if part["type"] == "tool-call"]
            turns.append({"role": message["role"], "content": text})
            if not calls:
                continue
            turns[-1]["tool_calls"] = [
                {
                    "id": call["toolCallId"],
                    "type": "function",
                    "function": {"name": call["toolName"], "arguments": json.dumps(call["args"])},
                }
                for call in calls
            ]
            turns.extend(tool_turn(call) for call in calls)
    return turns


def tool_turn(call):
    if call["state"] == "result":
        content = call["result"]
        content = content if isinstance(content, str) else json.dumps(content)
    else:
        content = "Error: " + call.get("error", "no answer was given")
    return {
        "role": "tool",
        "tool_call_id": call["toolCallId"],
        "name": call["toolName"],
        "content": content,
    }


# --- The answer ------------------------------------------------------------------------------

def answer(messages, delay):
    """Yields the chunks of one answer: rounds of the model, and what becomes of its calls."""
    turns = to_turns(messages)
    yield {"type": "message-start", "runId": f"run_{uuid.uuid4().hex}"}
    for number in range(MAX_TOOL_ROUNDS + 1):
        text, calls = "", []
        for piece in model(turns, delay):
            if isinstance(piece, str):
                text += piece
                yield {"type": "text-delta", "text": piece}
            else:
                call = {"toolCallId": f"call_{uuid.uuid4().hex}", "toolName": piece[0]}
                call.update(args=piece[1], state="pending")
                calls.append(call)
                yield from call_chunks(call)
        # Calls run after their round is closed.
        yield {"type": "step-end", "finishReason": "tool-calls" if calls else "stop"}
        for call in calls:
            if call["toolName"] in CLIENT_TOOLS:
                continue
            if number == MAX_TOOL_ROUNDS:
                call.update(state="error", error="tool round limit reached")
                yield outcome(call, errorCode="limit")
            else:
                yield {"type": "tool-start", "toolCallId": call["toolCallId"]}
                yield run_tool(call)
        # Where the page has calls to answer, it posts the transcript again once it has.
        if not calls or any(call["state"] == "pending" for call in calls):
            return
        parts = [{"type": "text", "text": text}, *({"type": "tool-call", **call} for call in calls)]
        turns += to_turns([{"role": "assistant", "parts": parts}])


def call_chunks(call):
    """A call as models stream it. One `tool-call-end` with `toolName` and `args` says the same."""
    head = {"toolCallId": call["toolCallId"]}
    mine = {"providerExecuted": True} if call["toolName"] in SERVER_TOOLS else {}
    yield {"type": "tool-call-start", **head, "toolName": call["toolName"], **mine}
    yield {"type": "tool-call-delta", **head, "argsText": json.dumps(call["args"])}
    yield {"type": "tool-call-end", **head, **mine}


def run_tool(call):
    tool = SERVER_TOOLS.get(call["toolName"])
    try:
        if tool is None:
            raise ToolError(f"unknown tool '{call['toolName']}'")
        call.update(state="result", result=tool(call["args"]))
    except ToolError as error:
        call.update(state="error", error=str(error))
    except Exception:
        log.exception("%s failed", call["toolName"])
        call.update(state="error", error="the tool failed")
    return outcome(call)


def outcome(call, **more):
    kind = call["state"]
    return {"type": f"tool-{kind}", "toolCallId": call["toolCallId"], kind: call[kind], **more}


# --- HTTP ------------------------------------------------------------------------------------

class BadRequest(Exception):
    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class ClientGone(Exception):
    """Nobody reads any more; apart from OSError, which a model's own connection may raise."""


class EventStream:
    """Writes events, and a comment whenever nothing was written for a while."""

    def __init__(self, file):
        self.file = file
        self.lock = threading.Lock()
        self.count = 0
        self.written = threading.Event()
        self.closed = False
        threading.Thread(target=self.keep_alive, daemon=True).start()

    def send(self, chunk):
        self.send_data(json.dumps(chunk, allow_nan=False))

    def send_data(self, data):
        self.count += 1
        self.write(f"id: {self.count}\ndata: {data}\n\n")
        self.written.set()

    def write(self, text):
        with self.lock:
            try:
                self.file.write(text.encode())
                self.file.flush()
            except (OSError, ValueError) as error:
                raise ClientGone from error

    def keep_alive(self):
        while not self.closed:
            if self.written.wait(HEARTBEAT_SECONDS):
                self.written.clear()
                continue
            try:
                self.write(": ping\n\n")
            except ClientGone:
                return

    def close(self):
        self.closed = True
        self.written.set()


class Handler(BaseHTTPRequestHandler):
    # HTTP/1.0 as it is by default: the end of the connection ends the body.
    delay = 0.0
    allow_origin = None

    def do_OPTIONS(self):
        self.send_response(204)
        self.end_headers()

    def do_GET(self):
        self.refuse(BadRequest(405, "method", "use POST"))

    def do_POST(self):
        try:
            messages = self.read_messages()
        except BadRequest as error:
            return self.refuse(error)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("cache-control", "no-cache, no-transform")
        self.send_header("x-accel-buffering", "no")
        self.end_headers()
        stream = EventStream(self.wfile)
        try:
            self.stream_answer(stream, messages)
            stream.send_data("[DONE]")
        except ClientGone:
            log.info("the client is gone")
        finally:
            stream.close()

    def stream_answer(self, stream, messages):
        try:
            for chunk in answer(messages, self.delay):
                stream.send(chunk)
        except ClientGone:
            raise
        except Exception:
            # What went wrong may name hosts and keys: it goes to the log, not to the client.
            log.exception("the answer failed")
            message = "the server could not answer"
            stream.send({"type": "error", "code": "provider", "message": message})

    def read_messages(self):
        if self.path.split("?")[0] != "/api/chat":
            raise BadRequest(404, "not-found", f"no {self.path} here")
        try:
            length = int(self.headers["content-length"])
        except (TypeError, ValueError):
            raise BadRequest(411, "length", "content-length is missing") from None
        if not 0 <= length <= MAX_BODY:
            raise BadRequest(413, "too-large", f"at most {MAX_BODY} bytes")
        try:
            messages = json.loads(self.rfile.read(length))["messages"]
            # The chat posts what it knows: read as the client's word, never as the server's own.
            for message in messages:
                if message["role"] not in ("user", "assistant"):
                    raise ValueError(message["role"])
                for part in message["parts"]:
                    if part["type"] == "tool-call":
                        part["toolCallId"], part["toolName"], part["args"], part["state"]
                    elif part["type"] == "text":
                        part["text"] + ""
            if not any(message["role"] == "user" for message in messages):
                raise ValueError("nobody asked anything")
        except (ValueError, KeyError, TypeError) as error:
            raise BadRequest(400, "invalid-request", f"not a chat: {error!r}") from None
        return messages

    def refuse(self, error):
        body = json.dumps({"error": {"code": error.code, "message": str(error)}}).encode()
        self.send_response(error.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self):
        if self.allow_origin:
            self.send_header("access-control-allow-origin", self.allow_origin)
            self.send_header("access-control-allow-headers", "content-type, authorization")
        super().end_headers()

    def log_message(self, format, *args):
        log.info(format, *args)


class Server(ThreadingHTTPServer):
    daemon_threads = True


def main():
    parser = argparse.ArgumentParser(description="A back end for vue-llm in plain Python.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0 takes any free one")
    parser.add_argument("--delay", type=float, default=0.03, help="seconds before each word")
    parser.add_argument("--allow-origin", help="origin of a page from another host or port (CORS)")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO)
    Handler.delay = options.delay
    Handler.allow_origin = options.allow_origin
    server = Server((options.host, options.port), Handler)
    print(f"http://{options.host}:{server.server_port}/api/chat", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
