import { base64Of } from "../../../apimachinery/base64.ts";
import { isJsonObject, type MutableJsonObject, setKey } from "../../../apimachinery/json.ts";
import { utf8Bytes } from "../../../apimachinery/utf8.ts";
import { all, type Defaulter, sentStruct, whenZero } from "../../defaulting/defaulter.ts";

/**
 * The defaults of a Secret. They include the move of `stringData` to `data`, which is part of upstream's conversion
 * from v1.
 */
export const secretDefaults: Defaulter = all(moveStringData, whenZero({ type: "Opaque" }));

function moveStringData(secret: MutableJsonObject): void {
  const { stringData } = secret;
  if (!isJsonObject(stringData)) return;
  const data = sentStruct(secret, "data") ?? {};
  for (const [name, text] of Object.entries(stringData)) {
    if (typeof text === "string") setKey(data, name, base64Of(utf8Bytes(text)));
  }
  if (Object.keys(stringData).length > 0) secret["data"] = data;
  delete secret["stringData"];
}
