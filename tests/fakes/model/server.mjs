#!/usr/bin/env node
// SPDX-FileCopyrightText: Glovebox contributors
// SPDX-License-Identifier: Apache-2.0
// A scripted stand-in for a coding model. It speaks just enough of the
// Anthropic Messages API and the OpenAI Responses API (both as server-sent
// events) to drive the real `claude` and `codex` command lines offline.
//
// It thinks nothing: a scenario file lists the turns, and each request is
// answered with the next turn. Which turn is next is read from the request
// itself (the ids of earlier tool calls carry their turn number), so a retried
// request gets the same answer and one server can play many runs at once.
//
// Node 18 or newer, no dependencies. Usage and file format: README.md.

import http from 'node:http';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));

// ---------------------------------------------------------------- arguments

const HELP = `usage: node server.mjs [options]
  --port N            port to listen on (default 8787; 0 picks a free one)
  --host ADDR         address to listen on (default 127.0.0.1)
  --scenario NAME     scenario for base URLs without /s/NAME (default success)
  --scenarios DIR     folder of scenario files (default: scenarios/ beside this file)
  --log FILE          append one JSON line for each request
  --bodies DIR        also save every request body, numbered, in DIR
  --port-file FILE    write the chosen port to FILE once listening
  --key KEY           refuse requests that do not carry this API key with 401`;

function parseArguments(argv) {
  const options = {
    port: '8787', host: '127.0.0.1', scenario: 'success',
    scenarios: path.join(HERE, 'scenarios'),
    log: null, bodies: null, 'port-file': null, key: null,
  };
  for (let i = 0; i < argv.length; i++) {
    const name = argv[i].replace(/^--/, '');
    if (name === 'help' || argv[i] === '-h') {
      console.log(HELP);
      process.exit(0);
    }
    if (!argv[i].startsWith('--') || !(name in options) || argv[i + 1] === undefined) {
      console.error(`fake-model: bad argument ${argv[i]}\n${HELP}`);
      process.exit(2);
    }
    options[name] = argv[++i];
  }
  return options;
}

const options = parseArguments(process.argv.slice(2));
if (options.bodies) fs.mkdirSync(options.bodies, { recursive: true });

// ---------------------------------------------------------------- scenarios

function loadScenario(name) {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`bad scenario name ${name}`);
  const file = path.join(options.scenarios, `${name}.json`);
  const scenario = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (!Array.isArray(scenario.turns) || scenario.turns.length === 0) {
    throw new Error(`${file}: "turns" must be a non-empty array`);
  }
  return { name, ...scenario };
}

// The turn to play, or the last one again once the script has run out. With
// "loop": true the script starts over, so the run never ends by itself.
function pickTurn(scenario, index) {
  const { turns, loop } = scenario;
  const turn = loop ? turns[index % turns.length] : turns[Math.min(index, turns.length - 1)];
  return { ...scenario.defaults, ...turn };
}

const failuresServed = new Map(); // "scenario/conversation/turn" -> count

// A turn with "http" answers with that status: always, or for the first
// "times" requests of that turn in that conversation.
function shouldFail(scenario, conversation, index, turn) {
  if (!turn.http) return false;
  if (turn.http.times === undefined) return true;
  const key = `${scenario.name}/${conversation}/${index}`;
  const served = failuresServed.get(key) ?? 0;
  failuresServed.set(key, served + 1);
  return served < turn.http.times;
}

// ------------------------------------------------------------ conversations

const CALL_ID = /_fake_t(\d+)_c\d+$/;
const callId = (prefix, index, n) => `${prefix}_fake_t${index}_c${n}`;
const randomId = (prefix) => `${prefix}_${Math.random().toString(36).slice(2, 14)}`;

// `steps` is the history in order, each step { final: bool, ids: [call ids] }.
// Only what follows the last finished answer counts, so that a resumed session
// plays the script afresh.
function nextTurnIndex(steps) {
  let index = 0;
  for (let i = steps.length - 1; i >= 0; i--) {
    if (steps[i].final) break;
    for (const id of steps[i].ids) {
      const match = CALL_ID.exec(id);
      if (match) index = Math.max(index, Number(match[1]) + 1);
    }
  }
  return index;
}

const textOf = (content) => (typeof content === 'string'
  ? content
  : (content ?? []).map((part) => part.text ?? '').join('\n'));

function hash(text) {
  let value = 5381;
  for (let i = 0; i < text.length; i++) value = (value * 33 + text.charCodeAt(i)) >>> 0;
  return value.toString(16);
}

// Where the agent works: both command lines tell the model in plain text.
function workingDirectory(text) {
  const patterns = [
    /<cwd>([^<\n]+)<\/cwd>/,
    /[Ww]orking directory(?: is|:)\s*`?(\/[^\s`]*)/,
    /cwd(?: is|:|=)\s*`?"?(\/[^\s`"]*)/i,
  ];
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match[1].trim();
  }
  return null;
}

const shellQuote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

// Any call as a shell command, for agents that have no tool of its own for it.
function asShell(call) {
  if (call.read) return `cat ${shellQuote(call.read)}`;
  if (!call.write) return call.run;
  const { path: file, content } = call.write;
  const folder = path.posix.dirname(file);
  const make = folder === '.' ? '' : `mkdir -p ${shellQuote(folder)} && `;
  return `${make}printf '%s' ${shellQuote(content)} > ${shellQuote(file)}`;
}

// The same write in Codex's patch language, which can only say whole lines.
function writeAsPatch({ path: file, content }) {
  if (!content.endsWith('\n')) return null;
  const lines = content.slice(0, -1).split('\n').map((line) => `+${line}`).join('\n');
  return `*** Begin Patch\n*** Add File: ${file}\n${lines}\n*** End Patch\n`;
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

function pieces(text, size) {
  const characters = Array.from(text);
  if (characters.length === 0) return [''];
  const parts = [];
  for (let i = 0; i < characters.length; i += size) {
    parts.push(characters.slice(i, i + size).join(''));
  }
  return parts;
}

// ------------------------------------------------------------ event streams

class EventStream {
  constructor(response, turn) {
    this.response = response;
    this.delay = turn.delay_ms ?? 0;
    this.chunk = turn.chunk ?? 40;
    this.dropAfter = turn.drop_after ?? Infinity; // events before the line is cut
    this.hangAfter = turn.hang_after ?? Infinity; // events before silence
    this.sent = 0;
    this.closed = false;
    response.on('close', () => { this.closed = true; });
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'request-id': randomId('req'),
    });
    response.flushHeaders();
  }

  async send(type, fields) {
    if (this.closed) return;
    if (this.sent >= this.dropAfter) {
      this.response.destroy();
      this.closed = true;
      return;
    }
    if (this.sent >= this.hangAfter) {
      await new Promise((done) => this.response.once('close', done));
      return;
    }
    this.sent++;
    this.response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
    if (this.delay > 0) await sleep(this.delay);
  }

  end() {
    if (!this.closed) this.response.end();
  }
}

const usageOf = (turn) => ({
  input: turn.usage?.input_tokens ?? 1200,
  cached: turn.usage?.cached_tokens ?? 0,
  output: turn.usage?.output_tokens ?? 80,
  reasoning: turn.usage?.reasoning_tokens ?? 0,
});

// -------------------------------------------------- Anthropic: POST /messages

// Claude Code says Bash and file_path where others say bash and filePath.
const findTool = (tools, name) => (tools ?? []).find((tool) => tool.name?.toLowerCase() === name);

const anthropic = {
  key: (request) => request.headers['x-api-key']
    ?? request.headers.authorization?.replace(/^Bearer /, ''),

  // Agents ask small questions of their own (a title, a summary). Those carry
  // no shell tool; the script is only for the agent's own loop.
  isSideRequest: (body) => !findTool(body.tools, 'bash'),

  conversation: (request, body) => request.headers['x-claude-code-session-id']
    ?? hash(textOf(body.messages?.[0]?.content)),

  steps: (body) => (body.messages ?? [])
    .filter((message) => message.role === 'assistant')
    .map((message) => {
      const parts = Array.isArray(message.content) ? message.content : [];
      const ids = parts.filter((part) => part.type === 'tool_use').map((part) => part.id);
      return { final: ids.length === 0, ids };
    }),

  text: (body) => [textOf(body.system), ...(body.messages ?? []).map((m) => textOf(m.content))].join('\n'),

  toolUse(call, index, n, tools, cwd) {
    const id = callId('toolu', index, n);
    if (call.tool) return { id, name: call.tool, input: call.input ?? {} };
    const fileTool = findTool(tools, call.read ? 'read' : call.write ? 'write' : null);
    if (fileTool && cwd) {
      const key = fileTool.input_schema?.properties?.filePath ? 'filePath' : 'file_path';
      const input = { [key]: path.posix.resolve(cwd, call.read ?? call.write.path) };
      if (call.write) input.content = call.write.content;
      return { id, name: fileTool.name, input };
    }
    return {
      id, name: findTool(tools, 'bash')?.name ?? 'Bash',
      input: { command: asShell(call), description: call.description ?? 'Run a scripted command' },
    };
  },

  // The whole answer, as a request without "stream" gets it. Claude Code falls
  // back to such requests after streams that broke off.
  message(body, turn, index) {
    const usage = usageOf(turn);
    const cwd = workingDirectory(this.text(body));
    const calls = (turn.calls ?? []).map((call, n) => (
      { type: 'tool_use', ...this.toolUse(call, index, n, body.tools ?? [], cwd) }));
    return {
      id: randomId('msg'), type: 'message', role: 'assistant', model: body.model,
      content: [...(turn.text ? [{ type: 'text', text: turn.text }] : []), ...calls],
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null,
      usage: {
        input_tokens: usage.input - usage.cached, cache_creation_input_tokens: 0,
        cache_read_input_tokens: usage.cached, output_tokens: usage.output,
      },
    };
  },

  async stream(stream, message) {
    await stream.send('message_start', {
      message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
    });
    for (const [index, block] of message.content.entries()) {
      const isText = block.type === 'text';
      const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
      await stream.send('content_block_start', { index, content_block: empty });
      for (const part of pieces(isText ? block.text : JSON.stringify(block.input), stream.chunk)) {
        const delta = isText ? { type: 'text_delta', text: part } : { type: 'input_json_delta', partial_json: part };
        await stream.send('content_block_delta', { index, delta });
      }
      await stream.send('content_block_stop', { index });
    }
    const { stop_reason, stop_sequence, usage } = message;
    await stream.send('message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } });
    await stream.send('message_stop', {});
  },

  error: (status, message) => ({
    type: 'error',
    error: {
      type: {
        400: 'invalid_request_error', 401: 'authentication_error', 403: 'permission_error',
        404: 'not_found_error', 429: 'rate_limit_error', 529: 'overloaded_error',
      }[status] ?? 'api_error',
      message,
    },
    request_id: randomId('req'),
  }),
};

// ---------------------------------------------------- OpenAI: POST /responses

const SHELL_TOOLS = ['exec_command', 'shell_command', 'shell', 'container.exec'];

const openai = {
  key: (request) => request.headers.authorization?.replace(/^Bearer /, ''),

  // Tools come in "tools", or as an input item of their own, and may be grouped
  // in namespaces. Flattened here; `namespace` stays on each.
  tools(body) {
    const items = Array.isArray(body.input) ? body.input : [];
    const extra = items.filter((item) => item.type === 'additional_tools').flatMap((item) => item.tools ?? []);
    return [...(body.tools ?? []), ...extra].flatMap((tool) => (tool.type === 'namespace'
      ? (tool.tools ?? []).map((inner) => ({ ...inner, namespace: tool.name }))
      : [tool]));
  },

  isSideRequest(body) {
    return this.tools(body).length === 0;
  },

  conversation: (request, body) => request.headers['session-id'] ?? request.headers.session_id
    ?? request.headers['thread-id'] ?? body.prompt_cache_key ?? hash(JSON.stringify(body.input?.[0] ?? '')),

  steps(body) {
    const items = (Array.isArray(body.input) ? body.input : [])
      .filter((item) => item.type !== 'reasoning');
    const isCall = (item) => item !== undefined && /_call$/.test(item.type ?? '');
    const steps = [];
    items.forEach((item, i) => {
      if (isCall(item)) steps.push({ final: false, ids: [item.call_id ?? ''] });
      else if (item.role === 'assistant' && !isCall(items[i + 1])) steps.push({ final: true, ids: [] });
    });
    return steps;
  },

  text: (body) => [body.instructions ?? '', ...(Array.isArray(body.input) ? body.input : [])
    .map((item) => textOf(item.content))].join('\n'),

  toolItem(call, index, n, tools) {
    const base = { id: randomId('fc'), call_id: callId('call', index, n), status: 'completed' };
    const custom = (tool, input) => ({
      type: 'custom_tool_call', ...base, name: tool.name, input,
      ...(tool.namespace && { namespace: tool.namespace }),
    });
    const func = (name, input) => ({
      type: 'function_call', ...base, name, arguments: JSON.stringify(input),
    });
    const find = (type, name) => tools.find((tool) => tool.type === type && tool.name === name);
    if (call.tool) return func(call.tool, call.input ?? {});

    const codeMode = find('custom', 'exec'); // takes a JavaScript program
    const patcher = find('custom', 'apply_patch');
    const patch = call.write && writeAsPatch(call.write);
    if (patch && codeMode) {
      return custom(codeMode, `text(await tools.apply_patch(${JSON.stringify(patch)}));\n`);
    }
    if (patch && patcher) return custom(patcher, patch);

    const command = asShell(call);
    if (codeMode) {
      return custom(codeMode, `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)}, yield_time_ms: 30000 });\ntext(r.output);\n`);
    }
    const names = tools.map((tool) => tool.name ?? tool.type);
    const name = SHELL_TOOLS.find((candidate) => names.includes(candidate)) ?? 'shell';
    if (name === 'exec_command') return func(name, { cmd: command });
    if (name === 'shell_command') return func(name, { command });
    return func(name, { command: ['bash', '-lc', command] });
  },

  message(body, turn, index) {
    const usage = usageOf(turn);
    const tools = this.tools(body);
    const text = turn.text && {
      type: 'message', id: randomId('msg'), role: 'assistant', status: 'completed',
      content: [{ type: 'output_text', text: turn.text, annotations: [] }],
    };
    return {
      id: randomId('resp'), object: 'response', created_at: Math.floor(Date.now() / 1000),
      model: body.model, status: 'completed', error: null, incomplete_details: null,
      output: [...(text ? [text] : []), ...(turn.calls ?? []).map((call, n) => this.toolItem(call, index, n, tools))],
      usage: {
        input_tokens: usage.input, input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.output, output_tokens_details: { reasoning_tokens: usage.reasoning },
        total_tokens: usage.input + usage.output,
      },
    };
  },

  async stream(stream, message) {
    const send = (type, fields) => stream.send(type, { ...fields, sequence_number: stream.sent });
    await send('response.created', { response: { ...message, status: 'in_progress', output: [], usage: null } });
    for (const [output_index, item] of message.output.entries()) {
      const isText = item.type === 'message';
      await send('response.output_item.added', {
        output_index, item: { ...item, status: 'in_progress', ...(isText && { content: [] }) },
      });
      if (isText) {
        const [part] = item.content;
        const at = { item_id: item.id, output_index, content_index: 0 };
        await send('response.content_part.added', { ...at, part: { ...part, text: '' } });
        for (const delta of pieces(part.text, stream.chunk)) {
          await send('response.output_text.delta', { ...at, delta });
        }
        await send('response.output_text.done', { ...at, text: part.text });
        await send('response.content_part.done', { ...at, part });
      }
      await send('response.output_item.done', { output_index, item });
    }
    await send('response.completed', { response: message });
  },

  error: (status, message) => ({
    error: {
      message, param: null,
      type: { 401: 'invalid_request_error', 429: 'rate_limit_exceeded' }[status] ?? 'server_error',
      code: { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' }[status] ?? null,
    },
  }),
};

// ------------------------------------------------------------------ requests

const ROUTES = [
  [/\/messages$/, anthropic],
  [/\/responses$/, openai],
];

function sendJson(response, status, value, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function readBody(request) {
  return new Promise((resolve, reject) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    request.on('error', reject);
  });
}

let requestCount = 0;

function log(entry) {
  if (!options.log) return;
  fs.appendFileSync(options.log, `${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
}

async function handle(request, response) {
  const number = ++requestCount;
  const url = new URL(request.url, 'http://fake');
  const chosen = /^\/s\/([^/]+)(\/.*)$/.exec(url.pathname);
  const scenarioName = chosen ? decodeURIComponent(chosen[1]) : options.scenario;
  const route = chosen ? chosen[2] : url.pathname;
  const text = await readBody(request);
  const entry = { number, method: request.method, path: url.pathname, scenario: scenarioName };

  if (options.bodies && text) {
    const name = path.join(options.bodies, String(number).padStart(4, '0'));
    const { authorization, 'x-api-key': _key, ...headers } = request.headers;
    fs.writeFileSync(`${name}.json`, text);
    fs.writeFileSync(`${name}.headers.json`, JSON.stringify(headers, null, 1));
  }

  if (route === '/healthz') return sendJson(response, 200, { ok: true, requests: number });

  const api = ROUTES.find(([pattern]) => pattern.test(route))?.[1];
  if (api === openai && request.method === 'GET') {
    // Codex's built-in provider first asks for a WebSocket. This answer sends it
    // straight back to plain requests.
    log({ ...entry, status: 426 });
    return sendJson(response, 426, api.error(426, 'fake-model speaks no WebSocket'));
  }
  if (request.method !== 'POST' || !api) {
    log({ ...entry, status: 404 });
    return sendJson(response, 404, { error: { message: `fake-model has no ${request.method} ${route}` } });
  }
  if (options.key && api.key(request) !== options.key) {
    log({ ...entry, status: 401 });
    return sendJson(response, 401, api.error(401, 'invalid x-api-key'));
  }

  let body;
  let scenario;
  try {
    body = JSON.parse(text);
    scenario = loadScenario(scenarioName);
  } catch (error) {
    log({ ...entry, status: 400, error: error.message });
    return sendJson(response, 400, api.error(400, `fake-model: ${error.message}`));
  }

  const side = api.isSideRequest(body);
  const index = side ? 0 : nextTurnIndex(api.steps(body));
  const turn = side ? { text: 'ok', usage: { input_tokens: 10, output_tokens: 5 } } : pickTurn(scenario, index);
  Object.assign(entry, { model: body.model, side, turn: index });

  if (turn.wait_ms) await sleep(turn.wait_ms);
  if (!side && shouldFail(scenario, api.conversation(request, body), index, turn)) {
    const { status = 500, message = 'scripted failure', headers = {} } = turn.http;
    log({ ...entry, status });
    return sendJson(response, status, api.error(status, message), headers);
  }
  log({ ...entry, status: 200 });
  const message = api.message(body, turn, index);
  if (body.stream) {
    const stream = new EventStream(response, turn);
    await api.stream(stream, message);
    return stream.end();
  }
  if (turn.drop_after !== undefined) return response.destroy();
  if (turn.hang_after !== undefined) return undefined; // never answered
  return sendJson(response, 200, message);
}

const server = http.createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error('fake-model:', error);
    if (!response.headersSent) sendJson(response, 500, { error: { message: String(error) } });
    else response.destroy();
  });
});

server.listen(Number(options.port), options.host, () => {
  const { port } = server.address();
  if (options['port-file']) fs.writeFileSync(options['port-file'], `${port}\n`);
  console.log(`fake-model: listening on http://${options.host}:${port}`);
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
