// Carries segue's handoff across compaction and restart. Written by `segue install pi`; `segue uninstall pi` removes it.
import { spawnSync } from "node:child_process";

const SEGUE: string[] = @COMMAND@;

function run(words: string[], input: string, cwd: string): { said: string; fault: string } {
  try {
    const ran = spawnSync(SEGUE[0], [...SEGUE.slice(1), ...words], { input, cwd, encoding: "utf8", timeout: 20000, maxBuffer: 1 << 26 });
    const fault = ran.error?.message ?? (ran.status === 0 ? "" : ran.stderr.trim());
    return { said: ran.status === 0 ? ran.stdout : "", fault };
  } catch (fault) {
    return { said: "", fault: String(fault) };
  }
}

function hook(event: string, payload: any): { inject?: string; notify?: string } {
  const { said } = run(["hook", "pi", event], JSON.stringify(payload), payload.cwd);
  try {
    return said ? JSON.parse(said) : {};
  } catch {
    return {};
  }
}

export default function (pi: any) {
  // Installed for the person and for the project, this is loaded twice: the first to come does the work.
  let other = false;
  pi.events?.emit("segue:loaded", () => { other = true; });
  if (other) return;
  const leave = pi.events?.on("segue:loaded", (say: () => void) => say());

  let waiting = "";

  const facts = (ctx: any) => {
    let usage: any;
    try {
      const known = ctx.getContextUsage?.();
      if (known?.tokens) usage = { tokens: known.tokens, window: known.contextWindow };
    } catch {}
    return {
      session_id: ctx.sessionManager.getSessionId(),
      transcript_path: ctx.sessionManager.getSessionFile() ?? "",
      cwd: ctx.cwd ?? process.cwd(),
      // Going back in the tree moves the leaf in memory alone: until the next message the file tells of the branch just left.
      leaf: ctx.sessionManager.getLeafId?.() ?? "",
      usage,
    };
  };
  const message = (content: string) => ({ customType: "segue-handoff", content, display: true });

  pi.on("session_start", async (event: any, ctx: any) => {
    waiting = hook("session_start", { ...facts(ctx), source: event.reason }).inject ?? "";
  });
  pi.on("before_agent_start", async (_event: any, ctx: any) => {
    const text = [waiting, hook("before_agent_start", facts(ctx)).inject].filter(Boolean).join("\n\n");
    waiting = "";
    if (text) return { message: message(text) };
  });
  pi.on("turn_end", async (_event: any, ctx: any) => {
    const { inject } = hook("turn_end", facts(ctx));
    if (inject) pi.sendMessage(message(inject), { deliverAs: "steer" });
  });
  pi.on("session_before_compact", async (_event: any, ctx: any) => {
    hook("session_before_compact", facts(ctx));
  });
  pi.on("session_compact", async (_event: any, ctx: any) => {
    const { inject } = hook("session_compact", facts(ctx));
    if (inject) pi.sendMessage(message(inject), { deliverAs: "steer" });
  });
  pi.on("session_shutdown", async (_event: any, ctx: any) => {
    leave?.();
    hook("session_shutdown", facts(ctx));
  });

  pi.registerCommand("handoff", {
    description: "Hand this session off: /handoff GOAL opens a new session with what it needs",
    handler: async (goal: string, ctx: any) => {
      const file = ctx.sessionManager.getSessionFile();
      const cwd = ctx.cwd ?? process.cwd();
      const { leaf } = facts(ctx);
      const words = ["handoff", "--from", file, ...(leaf ? ["--leaf", leaf] : []), "--yes", "--", goal];
      const { said: packet, fault } = file ? run(words, "", cwd) : { said: "", fault: "This session is not kept in a file." };
      if (!packet) {
        ctx.ui?.notify?.(`segue could not hand this session off. ${fault}`, "error");
        return;
      }
      await ctx.newSession({ parentSession: file, withSession: async (next: any) => { await next.sendUserMessage(packet); } });
    },
  });
}
