// Reads a JSON list of {language, text} and writes a list of what is wrong with each, "" for nothing.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { parse as parseJava } from "java-parser";

const kinds = { javascript: ts.ScriptKind.JSX, typescript: ts.ScriptKind.TS, tsx: ts.ScriptKind.TSX };

function script(text, kind) {
  const file = ts.createSourceFile("fragment", text, ts.ScriptTarget.Latest, false, kind);
  return file.parseDiagnostics.map((d) => ts.flattenDiagnosticMessageText(d.messageText, " ")).join("; ");
}

function java(text) {
  try {
    parseJava(text);
    return "";
  } catch (unit) {
    try {
      parseJava(`class Members {\n${text}\n}`); // members of a class by themselves
      return "";
    } catch {
      return String(unit.message).slice(0, 300);
    }
  }
}

const out = JSON.parse(readFileSync(0, "utf8")).map(({ language, text }) =>
  language === "java" ? java(text) : script(text, kinds[language]));
process.stdout.write(JSON.stringify(out));
