"""`make serve` shows the book on this computer only, on whatever port is free."""

import http.client
import socket
import threading

import pytest

from lib.course import paths, serving


@pytest.fixture
def html(tmp_path, monkeypatch):
    folder = tmp_path / "_build" / "html"
    folder.mkdir(parents=True)
    (folder / "index.html").write_text("<h1>Welcome</h1>")
    monkeypatch.setattr(paths, "repository", lambda: tmp_path)
    return folder


def ask(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, body


def test_a_taken_port_gives_way_to_another(html):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with serving.server(html, port) as server:
            address, chosen = server.server_address[:2]
            assert address == "127.0.0.1"
            assert chosen != port
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                assert ask(chosen, "/") == (200, "<h1>Welcome</h1>")
                assert ask(chosen, "/missing.html")[0] == 404
                assert ask(chosen, "/../../secret")[0] == 404
            finally:
                server.shutdown()
                thread.join()


def test_nothing_to_show_is_one_sentence(html, capsys):
    (html / "index.html").unlink()
    assert serving.main([]) == 1
    assert "`make book` builds it" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["-1", "70000"])
def test_a_port_that_is_none_is_refused(html, capsys, port):
    assert serving.main(["--port", port]) == 2
    assert "Expected a port" in capsys.readouterr().err


def test_it_says_where_and_stops_when_told(html, capsys, monkeypatch):
    def interrupted(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(serving.ThreadingHTTPServer, "serve_forever", interrupted)
    assert serving.main(["--port", "0"]) == 0
    assert "The book is at http://127.0.0.1:" in capsys.readouterr().out
