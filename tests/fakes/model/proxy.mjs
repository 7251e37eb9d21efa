#!/usr/bin/env node
// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// A stand-in for the proxy that a user's machine must go through. It knows one host and joins it to a port of this
// machine; every other one is "unreachable" (502). Each request is one line of the log: METHOD HOST:PORT.
//
// usage: node proxy.mjs NAME TARGET_PORT PORT_FILE LOG_FILE

import fs from 'node:fs';
import http from 'node:http';

const [name, targetPort, portFile, logFile] = process.argv.slice(2);

function note(method, host, port) {
  fs.appendFileSync(logFile, `${method} ${host}:${port}\n`);
}

const server = http.createServer((request, response) => {
  let url;
  try {
    url = new URL(request.url);
  } catch {
    response.writeHead(400).end();
    return;
  }
  note(request.method, url.hostname, url.port || 80);
  if (url.hostname !== name) {
    response.writeHead(502).end('unknown host\n');
    return;
  }
  const forwarded = http.request({
    agent: false, // one connection for each, as it says itself: the pool would reuse it all the same
    host: '127.0.0.1', port: targetPort, method: request.method, path: url.pathname + url.search,
    headers: { ...request.headers, connection: 'close' },
  });
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
});

// No host is spoken to through a tunnel: the model is plain HTTP.
server.on('connect', (request, socket) => {
  const [host, port] = request.url.split(':');
  note('CONNECT', host, port);
  socket.on('error', () => {});
  socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
});

server.listen(0, '127.0.0.1', () => fs.writeFileSync(portFile, `${server.address().port}\n`));
