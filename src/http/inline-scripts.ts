/** The scripts that a page holds in itself, as sources of a Content-Security-Policy (CSP Level 3, section 2.3.1). */
import { hash } from 'node:crypto'

export function inlineScripts(page: string): string[] {
  const scripts = page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)
  return [...scripts].map(([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`)
}
