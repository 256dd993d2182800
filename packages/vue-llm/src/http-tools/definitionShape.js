// Made of tools.schema.json by scripts/compileDefinitionShape.mjs.
const pattern0 = /^[^\s"'`<>=]{1,64}$/u, pattern1 = /^[\w!#$%&'*+.^`|~-]+$/u, pattern2 = /^[\t -~\x80-\xff]*$/u;
export function invalidPaths(data) {
  const paths = [];
  if (Array.isArray(data)) {
    const len0 = data.length;
    for (let i0 = 0; i0 < len0; i0++) {
      let data0 = data[i0];
      if (data0 && typeof data0 == "object" && !Array.isArray(data0)) {
        if (data0.name === void 0 && paths.push("/" + i0 + "/name"), data0.url === void 0 && paths.push("/" + i0 + "/url"), data0.name !== void 0) {
          let data1 = data0.name;
          typeof data1 == "string" && pattern0.test(data1) || paths.push("/" + i0 + "/name");
        }
        if (data0.description !== void 0) {
          let data2 = data0.description;
          typeof data2 != "string" && data2 !== null && paths.push("/" + i0 + "/description");
        }
        if (data0.parameters !== void 0) {
          let data3 = data0.parameters;
          !(data3 && typeof data3 == "object" && !Array.isArray(data3)) && data3 !== null && paths.push("/" + i0 + "/parameters");
        }
        if (data0.url !== void 0 && typeof data0.url != "string" && paths.push("/" + i0 + "/url"), data0.method !== void 0) {
          let data5 = data0.method;
          typeof data5 != "string" && data5 !== null && paths.push("/" + i0 + "/method");
        }
        if (data0.headers !== void 0) {
          let data6 = data0.headers;
          if (!(data6 && typeof data6 == "object" && !Array.isArray(data6)) && data6 !== null && paths.push("/" + i0 + "/headers"), data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            for (const key0 in data6)
              typeof key0 == "string" && (pattern1.test(key0) || paths.push("/" + i0 + "/headers/" + key0.replace(/~/g, "~0").replace(/\//g, "~1")));
            for (const key1 in data6) {
              let data7 = data6[key1];
              typeof data7 == "string" ? pattern2.test(data7) || paths.push("/" + i0 + "/headers/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")) : paths.push("/" + i0 + "/headers/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"));
            }
          }
        }
      } else
        paths.push("/" + i0);
    }
  } else
    paths.push("");
  return paths;
}
