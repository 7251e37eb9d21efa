#!/usr/bin/env node
// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// Records the transcripts beside this file: the real claude and codex, started as resources/agents
// says, against the scripted model in tests/fakes/model, offline, as an ordinary user. What belongs
// to one machine or one moment is replaced.
//   GLOVEBOX_TOOLS_DIR=… GLOVEBOX_AGENTS_DIR=… node record.mjs [NAME…]

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const SOURCE = path.resolve(HERE, '../../..');
const AGENTS = process.env.GLOVEBOX_AGENTS_DIR;
const NODE = path.join(process.env.GLOVEBOX_TOOLS_DIR ?? '', 'node_modules/node/bin/node');
const ORDINARY_USER = 65534;

const claude = (scenario, more = {}) => ({ agent: 'claude', scenario, ...more });
const codex = (scenario, more = {}) => ({ agent: 'codex', scenario, ...more });
const RUNS = {
  'claude-success': claude('success'),
  'claude-liar': claude('liar'),
  'claude-blocked': claude('blocked'),
  'claude-slow': claude('slow'),
  'claude-tools': claude('tools'),
  'claude-error': claude('error'),
  'claude-error-400': claude('error-400'),
  'claude-error-401': claude('error-401', { retries: 1 }),
  'claude-error-429': claude('error-429', { retries: 1 }),
  'claude-error-529': claude('error-529'),
  'claude-unreachable': claude('success', { unreachable: true, retries: 1 }),
  'claude-budget': claude('budget', { options: { budget: '5' } }),
  'claude-turns': claude('loop', { options: { turns: '3' } }),
  'claude-denied': claude('success', { leaveOut: '--dangerously-skip-permissions' }),
  'claude-killed': claude('stuck', { killAfter: 4000 }),
  'codex-success': codex('success'),
  'codex-liar': codex('liar'),
  'codex-blocked': codex('blocked'),
  'codex-slow': codex('slow'),
  'codex-tools': codex('tools'),
  'codex-error': codex('error'),
  'codex-error-400': codex('error-400'),
  'codex-error-401': codex('error-401'),
  'codex-error-429': codex('error-429'),
  'codex-drop': codex('drop'),
  'codex-unreachable': codex('success', { unreachable: true, killAfter: 20000 }),
  'codex-budget': codex('budget', { killAfter: 4000 }),
};

const listen = (server) => new Promise((done) => {
  server.listen(0, '127.0.0.1', () => done(server.address().port));
});

// Refuses every host, as a closed sandbox does.
function makeRefusingProxy() {
  const server = http.createServer((request, response) => {
    response.writeHead(403);
    response.end('Connection blocked by network allowlist');
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  return server;
}

function startModel(folder) {
  const portFile = path.join(folder, 'port');
  const child = spawn(NODE, [path.join(SOURCE, 'tests/fakes/model/server.mjs'),
    '--port', '0', '--port-file', portFile], { stdio: 'ignore' });
  return new Promise((done) => {
    const timer = setInterval(() => {
      const port = fs.existsSync(portFile) && fs.readFileSync(portFile, 'utf8').trim();
      if (!port) return;
      clearInterval(timer);
      done({ child, port: Number(port) });
    }, 50);
  });
}

function makeWork(root, name) {
  const work = path.join(root, name);
  for (const folder of ['repo', 'home', 'tmp', 'config']) {
    fs.mkdirSync(path.join(work, folder), { recursive: true });
  }
  fs.writeFileSync(path.join(work, 'repo/greeting.txt'), 'hello\n');
  fs.writeFileSync(path.join(work, 'repo/README.md'), '# Sample\n');
  const git = (...words) => spawnSync('git', ['-c', 'user.name=Tester',
    '-c', 'user.email=tester@example.com', ...words], { cwd: path.join(work, 'repo') });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
  if (process.getuid() === 0) {
    spawnSync('chown', ['-R', `${ORDINARY_USER}:${ORDINARY_USER}`, work]);
  }
  return work;
}

function commandLine(run, agent, port) {
  const options = Object.entries(run.options ?? {})
    .flatMap(([name, value]) => agent.options[name].map((word) => word.replace('{value}', value)));
  const base = `http://127.0.0.1:${run.unreachable ? 9 : port}/s/${run.scenario}`;
  if (run.agent === 'codex') {
    options.push('-c', 'model_provider=fake', '-c',
      `model_providers.fake={name="fake",base_url="${base}/v1",wire_api="responses",env_key="CODEX_API_KEY"}`);
  }
  const words = agent.command.filter((word) => word !== run.leaveOut)
    .flatMap((word) => (word === '{options}' ? options : [word]));
  return { words, base };
}

function record(name, run, root, modelPort, proxyPort) {
  const agent = JSON.parse(fs.readFileSync(path.join(SOURCE, `resources/agents/${run.agent}.json`)));
  const work = makeWork(root, name);
  const { words, base } = commandLine(run, agent, modelPort);
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const environment = {
    PATH: `${AGENTS}/node_modules/.bin:${path.dirname(NODE)}:/usr/bin:/bin`,
    HOME: path.join(work, 'home'), TMPDIR: path.join(work, 'tmp'),
    HTTPS_PROXY: proxy, HTTP_PROXY: proxy, https_proxy: proxy, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1',
    ...agent.environment,
    [agent.config.variable]: path.join(work, 'config'),
    [agent.keys[0].name]: 'sk-fake-0000000000',
    ...(run.agent === 'claude' && { ANTHROPIC_BASE_URL: base }),
    ...(run.retries !== undefined && { CLAUDE_CODE_MAX_RETRIES: String(run.retries) }),
  };
  const asUser = process.getuid() === 0
    ? ['setpriv', '--reuid', String(ORDINARY_USER), '--regid', String(ORDINARY_USER), '--clear-groups'] : [];
  const [program, ...rest] = [...asUser, ...words];
  const child = spawn(program, rest, {
    cwd: path.join(work, 'repo'), env: environment, detached: true, stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end('Change greeting.txt so that it says: hello, world. Commit the change.\n');
  const parts = [];
  child.stdout.on('data', (part) => parts.push(part));
  const killer = run.killAfter && setTimeout(() => process.kill(-child.pid, 'SIGTERM'), run.killAfter);
  return new Promise((done) => {
    child.on('close', (code, signal) => {
      clearTimeout(killer);
      fs.writeFileSync(path.join(HERE, `${name}.jsonl`), scrub(Buffer.concat(parts).toString(), work));
      console.log(`${name}: ${signal ?? code}`);
      done();
    });
  });
}

// Each id keeps its own stand-in, so that what belongs together stays together.
function scrub(text, work) {
  const names = new Map();
  const standIn = (prefix, make) => (found) => {
    if (!names.has(found)) names.set(found, make([...names.keys()].filter((k) => names.get(k).startsWith(prefix)).length + 1));
    return names.get(found);
  };
  return text
    .replaceAll(work, '/sandbox')
    .replaceAll(work.replaceAll('/', '-'), '-sandbox')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      standIn('00000000-', (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`))
    .replace(/"(msg|req|resp|fc)_[a-z0-9]{6,14}"/g, standIn('"id_', (n) => `"id_${n}"`))
    .replace(/\b[0-9a-f]{7}(?= (?:Write the greeting|Say what blocks))/g, '0123abc')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '2026-01-01T00:00:00.000Z')
    .replace(/cc-socks\/\d+/g, 'cc-socks/1')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8787')
    .replace(/("(?:duration_ms|duration_api_ms|ttft_ms|ttft_stream_ms|time_to_request_ms|first_content_frame_ms)":)[\d.]+/g, '$11000')
    .replace(/("retry_delay_ms":)[\d.]+/g, '$1500');
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RUNS);
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'transcripts-'));
fs.chmodSync(root, 0o755);
const model = await startModel(root);
const proxy = makeRefusingProxy();
const proxyPort = await listen(proxy);
const queue = [...wanted];
const worker = async () => {
  for (let name = queue.shift(); name; name = queue.shift()) {
    await record(name, RUNS[name], root, model.port, proxyPort);
  }
};
await Promise.all([worker(), worker(), worker()]);
model.child.kill();
proxy.close();
fs.rmSync(root, { recursive: true, force: true });
