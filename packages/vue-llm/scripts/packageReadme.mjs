/**
 * The README as the package holds it: pictures and links of files that stay in the repository would lead nowhere, so
 * that their words stand alone.
 *
 * @param {string} text
 * @returns {string}
 */
export function packageReadme(text) {
  return text
    .replace(/<picture>.*?<\/picture>\n+/s, '')
    .replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '$1')
}
