# edgectl sandbox exec --seed seed.yaml -- ruby flags_test.rb
require 'json'
require 'minitest/autorun'
require 'net/http'

class FlagsTest < Minitest::Test
  NAMESPACES = "/accounts/#{ENV.fetch('CLOUDFLARE_ACCOUNT_ID')}/storage/kv/namespaces"

  def call(path)
    uri = URI(ENV.fetch('CLOUDFLARE_BASE_URL') + path)
    Net::HTTP.get(uri, { 'Authorization' => "Bearer #{ENV.fetch('CLOUDFLARE_API_TOKEN')}" })
  end

  def test_a_flag_that_is_on
    namespace = JSON.parse(call(NAMESPACES))['result'].find { |one| one['title'] == 'flags' }
    assert_equal 'on', call("#{NAMESPACES}/#{namespace['id']}/values/search")
  end
end
