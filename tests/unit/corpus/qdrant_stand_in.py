"""A stand-in for a Qdrant server: the REST calls that the store makes, answered by the client's own local mode.

It shows that requests and answers survive the wire as the store builds and reads them. That a real server keeps the
rules is shown by the same suite where ``SLUIS_QDRANT_URL`` names one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from qdrant_client import QdrantClient
from qdrant_client.http import models


class _Handler(BaseHTTPRequestHandler):
    client: QdrantClient
    lock: threading.Lock
    fault: dict[str, Any]
    protocol_version = "HTTP/1.1"

    def _answer(self, status: int, result: Any) -> None:
        body = {"status": "ok", "time": 0.0, "result": result} if status == 200 else {"status": {"error": result}}
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _serve(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length)) if length else {}
        if self.fault:
            self._answer(self.fault["status"], self.fault["text"])
            return
        parts = [part for part in urlsplit(self.path).path.split("/") if part]
        try:
            with self.lock:
                result = self._call(self.command, parts[1:], body)
        except ValueError as error:
            self._answer(404, str(error))
            return
        self._answer(200, result)

    def do_GET(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def _call(self, method: str, parts: list[str], body: dict[str, Any]) -> Any:
        client = self.client
        if not parts:
            return client.get_collections().model_dump(mode="json")
        name, rest = parts[0], parts[1:]
        if rest == ["exists"]:
            return {"exists": client.collection_exists(name)}
        if not rest and method == "DELETE":
            return client.delete_collection(name)
        if not rest and method == "PUT":
            wanted = models.CreateCollection.model_validate(body)
            return client.create_collection(
                name, vectors_config=wanted.vectors, sparse_vectors_config=wanted.sparse_vectors
            )
        if not rest:
            return client.get_collection(name).model_dump(mode="json")
        done = {"operation_id": 1, "status": "completed"}
        if rest == ["index"]:
            models.CreateFieldIndex.model_validate(body)
            return done
        if rest == ["points"]:
            client.upsert(name, models.PointsList.model_validate(body).points)
            return done
        if rest == ["points", "delete"]:
            client.delete(name, models.PointIdsList.model_validate(body))
            return done
        if rest == ["points", "count"]:
            asked = models.CountRequest.model_validate(body)
            return client.count(name, count_filter=asked.filter).model_dump(mode="json")
        if rest == ["points", "scroll"]:
            scroll = models.ScrollRequest.model_validate(body)
            points, following = client.scroll(
                name,
                scroll_filter=scroll.filter,
                limit=scroll.limit or 10,
                offset=scroll.offset,
                with_payload=True,
            )
            return {"points": [point.model_dump(mode="json") for point in points], "next_page_offset": following}
        if rest == ["points", "query"]:
            query = models.QueryRequest.model_validate(body)
            prefetches = query.prefetch if isinstance(query.prefetch, list) else []
            # The local mode is exact by nature and says so when it is asked to be.
            prefetch = [item.model_copy(update={"params": None}) for item in prefetches]
            answer = client.query_points(
                name,
                prefetch=prefetch,
                query=query.query,
                query_filter=query.filter,
                limit=query.limit or 10,
                with_payload=True,
            )
            return answer.model_dump(mode="json")
        raise ValueError(f"no such call: {method} {'/'.join(parts)}")

    def log_message(self, format: str, *args: object) -> None:
        return


@contextmanager
def qdrant_stand_in() -> Iterator[tuple[str, dict[str, Any]]]:
    """A server on loopback: its URL, and a dict that makes it fail while it holds ``status`` and ``text``."""
    fault: dict[str, Any] = {}
    client = QdrantClient(":memory:")
    handler = type("Handler", (_Handler,), {"client": client, "lock": threading.Lock(), "fault": fault})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", fault
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        client.close()
