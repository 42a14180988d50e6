// Carries segue's handoff across compaction and restart. Written by `segue install opencode`; `segue uninstall opencode` removes it.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const SEGUE = @COMMAND@
const SERVER = @SERVER@
const LOOK_EVERY_MS = 12000
const MOST_OUTPUT = Number(process.env.OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX) || 32000
const BUFFER = 20000

const hook = (event, payload) => {
  try {
    const words = [...SEGUE.slice(1), "hook", "opencode", event]
    const ran = spawnSync(SEGUE[0], words, { input: JSON.stringify(payload), cwd: payload.cwd, encoding: "utf8", timeout: 20000, maxBuffer: 1 << 26 })
    return ran.status === 0 && ran.stdout ? JSON.parse(ran.stdout) : {}
  } catch {
    return {}
  }
}

// Installed for the person and for the project, this is loaded twice with one client: the first to come does the work.
const served = (globalThis[Symbol.for("segue")] ??= new WeakSet())

export const Segue = async ({ client, directory }) => {
  if (served.has(client)) return {}
  served.add(client)
  const begun = new Set()
  const crossed = new Set()
  const summarising = new Set()
  const usage = new Map()
  const windows = new Map()
  let reserved
  let looked = 0
  let count = 0
  const part = (message, text) => ({ id: "prt_segue" + Date.now() + count++, sessionID: message.sessionID, messageID: message.id, type: "text", text, synthetic: true })
  const facts = (session_id) => ({ session_id, cwd: directory, usage: usage.get(session_id) })

  // OpenCode compacts when the room it keeps for an answer is touched, so the window ends there.
  const usable = (limit) => {
    if (!limit?.context) return 0
    const answer = Math.min(limit.output || MOST_OUTPUT, MOST_OUTPUT)
    const room = limit.input ? limit.input - (reserved ?? Math.min(BUFFER, answer)) : limit.context - answer
    return room > 0 ? room : limit.context
  }

  const windowOf = async (provider, model) => {
    const name = provider + "/" + model
    if (!windows.has(name)) {
      const found = await client.config.providers().catch(() => undefined)
      windows.set(name, usable(found?.data?.providers?.find((p) => p.id === provider)?.models?.[model]?.limit))
    }
    return windows.get(name)
  }

  const withTranscript = async (session_id, act) => {
    let folder
    try {
      const [info, messages] = await Promise.all([
        client.session.get({ path: { id: session_id } }),
        client.session.messages({ path: { id: session_id } }),
      ])
      folder = mkdtempSync(join(tmpdir(), "segue-"))
      const transcript_path = join(folder, session_id + ".json")
      writeFileSync(transcript_path, JSON.stringify({ info: info.data, messages: messages.data }), { mode: 0o600 })
      return act({ ...facts(session_id), transcript_path })
    } catch {
      return act(facts(session_id))
    } finally {
      if (folder) rmSync(folder, { recursive: true, force: true })
    }
  }

  return {
    config: async (config) => {
      reserved = config.compaction?.reserved
      config.mcp = { segue: { type: "local", command: SERVER, enabled: true }, ...config.mcp }
    },
    event: async ({ event }) => {
      if (event.type === "session.compacted") {
        summarising.delete(event.properties.sessionID)
        crossed.add(event.properties.sessionID)
        await withTranscript(event.properties.sessionID, (payload) => hook("session.compacted", payload))
      }
      const info = event.type === "message.updated" ? event.properties?.info : undefined
      if (info?.role === "assistant" && info.time?.completed && info.tokens) {
        const tokens = info.tokens.input + (info.tokens.output ?? 0) + (info.tokens.cache?.read ?? 0) + (info.tokens.cache?.write ?? 0)
        usage.set(info.sessionID, { tokens, window: await windowOf(info.providerID, info.modelID) })
      }
    },
    "chat.message": async (input, output) => {
      if (begun.has(input.sessionID)) return
      begun.add(input.sessionID)
      const { inject } = hook("chat.message", facts(input.sessionID))
      if (inject) output.parts.push(part(output.message, inject))
    },
    "shell.env": async (input, output) => {
      if (input.sessionID) output.env.SEGUE_OPENCODE_SESSION = input.sessionID
    },
    "experimental.session.compacting": async (input) => {
      summarising.add(input.sessionID)
      await withTranscript(input.sessionID, (payload) => hook("session.compacting", payload))
    },
    "experimental.chat.messages.transform": async (_input, output) => {
      const last = [...output.messages].reverse().find((message) => message.info.role === "user")
      if (!last || last.parts.some((p) => p.type === "compaction")) return
      const id = last.info.sessionID
      // The request after this announcement is the summariser's: what is said there is said to nobody.
      if (summarising.delete(id)) return
      if (!crossed.has(id) && (!usage.has(id) || Date.now() - looked < LOOK_EVERY_MS)) return
      crossed.delete(id)
      looked = Date.now()
      const { inject } = hook("messages.transform", facts(id))
      if (inject) last.parts.push(part(last.info, inject))
    },
  }
}
