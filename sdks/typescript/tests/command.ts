/** The command under test: SEGUE_COMMAND holds its words as JSON. */
export const COMMAND = JSON.parse(process.env["SEGUE_COMMAND"] ?? '["segue"]') as readonly string[];
